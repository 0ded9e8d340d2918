module {{name}}

go 1.24

require claimsmith.dev/plugin v0.0.0

replace claimsmith.dev/plugin => ./claimsmith
