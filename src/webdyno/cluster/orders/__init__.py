"""What an agent is told, what it answers, and the proof that the head has said so."""
