-- The work that verifying a password takes: wrong passwords are answered at the time of the slowest one that is stored.
-- The same numbers as those of src/domain/password_work.rs.
ALTER TABLE users ADD COLUMN password_work BIGINT NOT NULL DEFAULT 0;
UPDATE users SET password_work = 64 * (1 << substring(password_digest FROM 5 FOR 2)::integer)
WHERE password_algorithm = 'Bcrypt' AND password_digest ~ '^\$2.\$(0[0-9]|1[0-4])\$';
UPDATE users SET password_work = found.work FROM (
    SELECT id, substring(password_digest FROM '\$m=([0-9]{1,10}),')::numeric
        * substring(password_digest FROM ',t=([0-9]{1,10})[,$]')::numeric AS work
    FROM users WHERE password_algorithm IN ('Argon2id', 'Argon2i', 'Argon2d')
) AS found
WHERE found.id = users.id AND found.work BETWEEN 0 AND 1048576;
CREATE INDEX users_by_password_work ON users (password_work);
