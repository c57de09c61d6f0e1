/// What of a person's configuration file commands need too.
public enum PersonalSettings {
  /// How many days the automatic backups are kept; 0 makes none.
  public static var backups: Int {
    ConfigurationFile.read(in: UserFolders.ofProcess.configuration).configuration.backups
  }
}
