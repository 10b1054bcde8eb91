"""What a pull request touches: servers built, proven, and measured beside what they were."""
