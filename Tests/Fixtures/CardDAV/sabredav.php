<?php
// sabre/dav with the address books of the user `tester`, for `php -S`. DATABASE names a file of SQLite.
error_reporting(0);
require_once 'Sabre/autoload.php';

class AnyPassword extends Sabre\DAV\Auth\Backend\AbstractBasic {
  protected function validateUserPass($user, $password) { return $user === 'tester'; }
}

$isNew = !file_exists(getenv('DATABASE'));
$database = new PDO('sqlite:' . getenv('DATABASE'));
$database->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
if ($isNew) {
  $database->exec("
    CREATE TABLE principals (id INTEGER PRIMARY KEY, uri TEXT UNIQUE, email TEXT, displayname TEXT, vcardurl TEXT);
    CREATE TABLE groupmembers (id INTEGER PRIMARY KEY, principal_id INTEGER, member_id INTEGER);
    CREATE TABLE addressbooks (
      id INTEGER PRIMARY KEY, principaluri TEXT, displayname TEXT, uri TEXT, description TEXT, ctag INTEGER);
    CREATE TABLE cards (id INTEGER PRIMARY KEY, addressbookid INTEGER, carddata BLOB, uri TEXT, lastmodified INTEGER);
    INSERT INTO principals (uri, displayname) VALUES ('principals/tester', 'tester');
    INSERT INTO addressbooks (principaluri, displayname, uri, description, ctag)
    VALUES ('principals/tester', 'private', 'private', '', 1), ('principals/tester', 'work', 'work', '', 1)");
}
$principals = new Sabre\DAVACL\PrincipalBackend\PDO($database);
$server = new Sabre\DAV\Server([
  new Sabre\DAVACL\PrincipalCollection($principals),
  new Sabre\CardDAV\AddressBookRoot($principals, new Sabre\CardDAV\Backend\PDO($database)),
]);
$server->setBaseUri('/');
$server->addPlugin(new Sabre\DAV\Auth\Plugin(new AnyPassword(), 'test'));
$server->addPlugin(new Sabre\CardDAV\Plugin());
$server->addPlugin(new Sabre\DAVACL\Plugin());
$server->exec();
