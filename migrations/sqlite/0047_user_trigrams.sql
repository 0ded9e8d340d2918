-- Users are found by any three characters of what they are called. The index has the places of users and what they are found
-- by, folded; it has no copy of the texts. A row that goes out of it is named by what it said.
CREATE VIRTUAL TABLE _user_trigrams USING fts5 (
    id, username_key, email_key, primary_phone, name_key,
    content = '', tokenize = 'trigram case_sensitive 1'
);
INSERT INTO _user_trigrams (rowid, id, username_key, email_key, primary_phone, name_key)
    SELECT place, LOWER(id), username_key, email_key, primary_phone, name_key FROM users ORDER BY place;

CREATE TRIGGER users_added_to_trigrams AFTER INSERT ON users BEGIN
    INSERT INTO _user_trigrams (rowid, id, username_key, email_key, primary_phone, name_key)
        VALUES (NEW.place, LOWER(NEW.id), NEW.username_key, NEW.email_key, NEW.primary_phone, NEW.name_key);
END;
CREATE TRIGGER users_removed_from_trigrams AFTER DELETE ON users BEGIN
    INSERT INTO _user_trigrams (_user_trigrams, rowid, id, username_key, email_key, primary_phone, name_key)
        VALUES ('delete', OLD.place, LOWER(OLD.id), OLD.username_key, OLD.email_key, OLD.primary_phone, OLD.name_key);
END;
CREATE TRIGGER users_changed_in_trigrams
AFTER UPDATE OF id, place, username_key, email_key, primary_phone, name_key ON users
WHEN OLD.place <> NEW.place OR OLD.id <> NEW.id OR OLD.username_key IS NOT NEW.username_key
    OR OLD.email_key IS NOT NEW.email_key OR OLD.primary_phone IS NOT NEW.primary_phone OR OLD.name_key IS NOT NEW.name_key
BEGIN
    INSERT INTO _user_trigrams (_user_trigrams, rowid, id, username_key, email_key, primary_phone, name_key)
        VALUES ('delete', OLD.place, LOWER(OLD.id), OLD.username_key, OLD.email_key, OLD.primary_phone, OLD.name_key);
    INSERT INTO _user_trigrams (rowid, id, username_key, email_key, primary_phone, name_key)
        VALUES (NEW.place, LOWER(NEW.id), NEW.username_key, NEW.email_key, NEW.primary_phone, NEW.name_key);
END;
