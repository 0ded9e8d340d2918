-- Any page of a million users is found at once: users are numbered as they come, and counted by blocks of 1024 numbers.

ALTER TABLE users ADD COLUMN place BIGINT NOT NULL DEFAULT 0;
WITH ordered AS (SELECT id, ROW_NUMBER() OVER (ORDER BY created_at, id DESC) AS place FROM users)
UPDATE users SET place = ordered.place FROM ordered WHERE ordered.id = users.id;
CREATE UNIQUE INDEX users_by_place ON users (place);
CREATE SEQUENCE user_places OWNED BY users.place;
SELECT setval('user_places', COALESCE(MAX(place), 0) + 1, FALSE) FROM users;
ALTER TABLE users ALTER COLUMN place SET DEFAULT nextval('user_places');

-- A block holds what its slots sum up to. They are those of `totals`, whose row is always taken first, so that two who
-- add users never wait for each other in a circle.
CREATE TABLE user_blocks (
    block BIGINT NOT NULL,
    slot  INTEGER NOT NULL,
    value BIGINT NOT NULL,
    PRIMARY KEY (block, slot)
);
INSERT INTO user_blocks (block, slot, value) SELECT place / 1024, 0, COUNT(*) FROM users GROUP BY place / 1024;

CREATE OR REPLACE FUNCTION count_users() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    own_slot   INTEGER := pg_backend_pid() % 16;
    difference BIGINT := CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END;
BEGIN
    UPDATE totals SET value = value + difference * (SELECT COUNT(*) FROM changed)
        WHERE name = 'users' AND slot = own_slot;
    INSERT INTO user_blocks AS known (block, slot, value)
        SELECT place / 1024, own_slot, difference * COUNT(*) FROM changed GROUP BY place / 1024
        ON CONFLICT (block, slot) DO UPDATE SET value = known.value + excluded.value;
    RETURN NULL;
END
$$;
