-- The work that verifying a password takes: wrong passwords are answered at the time of the slowest one that is stored.
-- The same numbers as those of src/domain/password_work.rs.
ALTER TABLE users ADD COLUMN password_work INTEGER NOT NULL DEFAULT 0;
UPDATE users SET password_work = 64 * (1 << CAST(substr(password_digest, 5, 2) AS INTEGER))
WHERE password_algorithm = 'Bcrypt' AND password_digest LIKE '$2_$__$%' AND CAST(substr(password_digest, 5, 2) AS INTEGER) <= 14;
UPDATE users SET password_work = CAST(substr(password_digest, instr(password_digest, '$m=') + 3) AS INTEGER)
    * CAST(substr(password_digest, instr(password_digest, ',t=') + 3) AS INTEGER)
WHERE password_algorithm IN ('Argon2id', 'Argon2i', 'Argon2d') AND password_digest LIKE '%$m=%,t=%';
UPDATE users SET password_work = 0 WHERE password_work NOT BETWEEN 0 AND 1048576;
CREATE INDEX users_by_password_work ON users (password_work);
