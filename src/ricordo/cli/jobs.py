"""ricordo jobs: background jobs that are waiting, running or dead."""

from __future__ import annotations

from typing import get_args

import click

from ricordo.blocking import Memory
from ricordo.cli.options import (
    json_option,
    plain,
    print_item,
    print_items,
    print_json,
    say_if_empty,
    shown,
    stamp,
    user_option,
)
from ricordo.errors import InvalidInput, counted
from ricordo.models import Job, JobState


@click.group("jobs")
def command() -> None:
    """List, show and retry background jobs. Finished jobs are not listed; jobs that failed too often are dead."""


@command.command("list")
@click.option("--state", type=click.Choice(get_args(JobState)), help="Only jobs in this state.")
@click.option("--limit", type=int, default=50, show_default=True, help="Maximum number of results, 1 to 1,000.")
@json_option
@user_option
def list_(state: JobState | None, limit: int, as_json: bool, user: str | None) -> None:
    """List jobs, the next due first."""
    with Memory(user=user, background=False) as memory:
        found = memory.jobs.list(state, limit)
    if as_json:
        print_items(found)
    else:
        say_if_empty(found, "No matching jobs.")
        for each in found:
            click.echo(_line(each))


@command.command("show")
@click.argument("job", type=int)
@json_option
@user_option
def show(job: int, as_json: bool, user: str | None) -> None:
    """Show the job with the id JOB."""
    with Memory(user=user, background=False) as memory:
        found = memory.jobs.get(job)
    if as_json:
        print_item(found)
        return
    for name, value in found.model_dump().items():
        click.echo(f"{name:<10}  {'–' if value in (None, {}) else shown(plain(value))}")


@command.command("retry")
@click.argument("job", type=int, required=False)
@click.option("--all", "every", is_flag=True, help="Retry every dead job.")
@json_option
@user_option
def retry(job: int | None, every: bool, as_json: bool, user: str | None) -> None:
    """Retry the dead job with the id JOB, or --all dead jobs. `ricordo worker` or any open memory runs them."""
    if (job is None) is not every:
        raise InvalidInput("job", "expected a job id or --all")
    with Memory(user=user, background=False) as memory:
        retried = memory.jobs.retry_all() if job is None else len([memory.jobs.retry(job)])
    if as_json:
        print_json({"retried": retried})
    else:
        click.echo(f"{counted(retried, 'job')} queued again")


def _line(job: Job) -> str:
    due = f"  due {stamp(job.due_at, 'seconds')}" if job.due_at and job.state == "waiting" else ""
    failed = f"  failed {job.failures}×: {job.error}" if job.failures else ""
    args = "".join(f"  {name}={value}" for name, value in job.args.items())
    return f"{job.id:>8}  {job.state:<8}{click.style(job.kind, bold=True)}{shown(args)}{due}{shown(failed)}"
