"""Runs and their trials."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create both tables."""
    op.create_table(
        "run",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("study", sa.String(200), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("started", sa.DateTime(timezone=True), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
    )
    op.create_index("ix_run_study", "run", ["study"])
    op.create_index("ix_run_started", "run", ["started"])
    op.create_table(
        "trial",
        sa.Column("run_id", sa.String(40), sa.ForeignKey("run.id"), primary_key=True),
        sa.Column("index", sa.Integer(), primary_key=True),
        sa.Column("server", sa.String(200), nullable=False),
        sa.Column("variant", sa.String(100), nullable=False),
        sa.Column("scenario", sa.String(100), nullable=False),
        sa.Column("load", sa.String(200), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("throughput_rps", sa.Float(), nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
    )
    op.create_index("ix_trial_place", "trial", ["server", "scenario", "load"])


def downgrade() -> None:
    """Drop both tables."""
    op.drop_table("trial")
    op.drop_table("run")
