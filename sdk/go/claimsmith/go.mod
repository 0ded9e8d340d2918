module claimsmith.dev/plugin

go 1.24
