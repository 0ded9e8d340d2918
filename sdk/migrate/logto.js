// {{name}}: a Logto script, as it was: what it is given and what it returns are the same here, so there is no adapter.
// It is a module now, in which every variable is declared.

{{script}}
