CREATE TRIGGER contact_history_removed AFTER DELETE ON contact BEGIN
  DELETE FROM edit_entry WHERE contact_id = OLD.id AND last_id IS NULL;
END;
