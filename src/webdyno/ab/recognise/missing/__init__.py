"""What a version lacks that a working copy has: variables, a repository, a build tool."""
