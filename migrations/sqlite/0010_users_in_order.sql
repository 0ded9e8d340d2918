-- Any page of a million users is found at once: users are numbered as they come, and counted by blocks of 1024 numbers.

ALTER TABLE users ADD COLUMN place BIGINT NOT NULL DEFAULT 0;
WITH ordered AS (SELECT id, ROW_NUMBER() OVER (ORDER BY created_at, id DESC) AS place FROM users)
UPDATE users SET place = ordered.place FROM ordered WHERE ordered.id = users.id;
CREATE UNIQUE INDEX users_by_place ON users (place);

CREATE TABLE user_blocks (
    block BIGINT NOT NULL,
    slot  INTEGER NOT NULL,
    value BIGINT NOT NULL,
    PRIMARY KEY (block, slot)
);
INSERT INTO user_blocks (block, slot, value) SELECT place / 1024, 0, COUNT(*) FROM users GROUP BY place / 1024;
CREATE TRIGGER users_added_to_block AFTER INSERT ON users BEGIN
    INSERT INTO user_blocks (block, slot, value) VALUES (NEW.place / 1024, 0, 1)
        ON CONFLICT (block, slot) DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER users_removed_from_block AFTER DELETE ON users BEGIN
    UPDATE user_blocks SET value = value - 1 WHERE block = OLD.place / 1024;
END;
