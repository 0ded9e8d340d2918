-- Password hashes of more formats are verified. Users who were imported with one of them could not sign in; now they
-- can, and wrong passwords are answered at the time of the slowest hash. What these take is set to the most that is
-- accepted; the first sign-in replaces it. Hashes of Argon2 and bcrypt have their work already.
UPDATE users SET password_work = 1048576
WHERE password_work = 0 AND password_digest IS NOT NULL
AND NOT (password_algorithm = 'Bcrypt' AND password_digest LIKE '$2%')
AND NOT (password_algorithm IN ('Argon2id', 'Argon2i', 'Argon2d') AND password_digest LIKE '$argon2%')
AND (password_digest LIKE '$%' OR password_digest LIKE '{%' OR password_digest LIKE 'argon2$%'
    OR password_digest LIKE 'bcrypt%$2%' OR lower(password_digest) LIKE '%pbkdf2%' OR lower(password_digest) LIKE '%scrypt%'
    OR (password_algorithm = 'Legacy' AND password_digest LIKE 'A%'));
