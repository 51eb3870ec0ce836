"""What `bench assistants` asks: decisions of earlier sessions, prompts that they matter to without naming them,
sessions that distract, and prompts to which memory has nothing to add. All of it was written for this."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Literal, NamedTuple

Role = Literal["user", "assistant"]
_WRITTEN = Path(__file__).parent / "data" / "projects"


class Project(NamedTuple):
    """A project with its sessions, and what is asked of it."""

    tasks: Sequence[Task]
    #: Sessions that distract: what they were about, what was wrong, and what was done.
    topics: Sequence[tuple[str, str, str]]
    #: Prompts to which memory has nothing to add.
    plain: Sequence[str]
    #: Who says what was done in sessions that distract.
    fixed_by: Role = "user"
    #: Further sessions that distract: turns by the user and the assistant in turn. They settle nothing.
    talks: Sequence[tuple[str, ...]] = ()


class Task(NamedTuple):
    """A decision, as it was taken in an earlier session, and a prompt that it matters to."""

    asked: str
    #: The decisive turn.
    decided: str
    prompt: str
    #: Who said the decisive turn.
    by: Role = "user"
    #: What of the decisive turn must be shown; all of it where this is empty.
    line: str = ""
    #: Who said the turn before, and what the user says after.
    asker: Role = "user"
    then: str = "Good, commit that."

    def is_in(self, text: str) -> bool:
        """Whether a block shows what was decided."""
        return (self.line or self.decided) in unescape(text)


def written(name: str) -> Project:
    """A project that a writer wrote who had seen neither the rules nor the other projects."""
    found = json.loads((_WRITTEN / f"{name}.json").read_text("utf-8"))
    tasks = [Task(**each) for each in found["tasks"]]
    topics = [(what, wrong, done) for what, wrong, done in found["topics"]]
    return Project(tasks, topics, found["plain"], "assistant", talks=[tuple(each) for each in found["talks"]])


_TASKS = (
    Task(
        "The order totals were off by one cent again in March. How do we store money from now on?",
        "We decided that every amount of money is an integer number of cents; floats are never used for totals.",
        "Add a discount to orders and compute the reduced total price.",
    ),
    Task(
        "Customers in Porto saw yesterday's date on their order. What do we do about time zones?",
        "Decision: timestamps are stored in UTC, and only the templates convert them to the customer's time zone.",
        "Show the delivery date and time on the order page.",
    ),
    Task(
        "The bundle has grown to 400 kB. What is the rule for front-end packages?",
        "Rule from today: no new npm package goes into the front end without Mira's approval; at most 180 kB.",
        "Build a date picker for the booking form in the front end; use a popular package.",
    ),
    Task(
        "Do we take the ORM or write SQL for the new services?",
        "We settled on sqlx with checked queries for all database access; the ORM is not used any more.",
        "Write the database access for invoices.",
    ),
    Task(
        "The parcel service timed out and orders were shipped twice. What policy do we want?",
        "Calls to the shipping provider are retried with backoff, at most 5 times, with an idempotency key.",
        "When an order is paid, call the shipping provider to book a parcel.",
    ),
    Task(
        "The test suite failed on the train because there was no network.",
        "Tests never touch the network: clients are tested against recorded cassettes in tests/cassettes.",
        "Write tests for the weather client.",
    ),
    Task(
        "The data protection officer found addresses in our logs.",
        "Logs must not hold e-mail addresses or names; log the user_id only.",
        "Add log output to the sign-up handler so that we see which user failed.",
    ),
    Task(
        "The last migration locked the customers table for four minutes. How do we do migrations?",
        "Migrations are done in three releases: add the column nullable, backfill it, and only then make it required.",
        "Make the phone number of customers required, with a migration.",
    ),
    Task(
        "The list of shipments was so slow with offset 200000 that the database fell over.",
        "All list endpoints page by cursor; offset and page numbers are forbidden.",
        "Add an endpoint that lists all invoices of a customer.",
    ),
    Task(
        "The web process ran out of memory when somebody uploaded a 60 megapixel photo.",
        "Uploaded pictures are resized by the media worker through its queue, never inside the web request.",
        "Let users upload a profile picture.",
    ),
    Task(
        "When may we deploy? The last Friday release cost us the weekend.",
        "We deploy on Tuesdays and Wednesdays only; nothing on a Friday, not even a hotfix, unless Jonas signs it off.",
        "Deploy the hotfix for the checkout this Friday.",
    ),
    Task(
        "The Polish translation shows English error texts. Where do user-facing messages live?",
        "Texts for users come from messages.toml by their key; no literal error message stands in the code.",
        "Tell the user with an error message when the card is declined.",
    ),
    Task(
        "Stale prices again: the cache was deleted before the transaction committed.",
        "Cached entries carry a version in their key and live ten minutes; we never delete keys from the cache.",
        "Cache the product page's prices.",
    ),
    Task(
        "How do we release the new checkout safely?",
        "New features are released behind a LaunchGate flag, and the flag is removed two weeks after everybody has it.",
        "Release the new search to ten percent of the users as a feature.",
    ),
)

_TOPICS = (
    ("the sidebar", "it overlaps the footer on phones", "the grid got a second row below 600 pixels"),
    ("the CSV importer", "it chokes on semicolons", "the dialect is sniffed from the first line"),
    ("the newsletter form", "the button stays grey", "the validity is read again after autofill"),
    ("the PDF invoice", "the logo is blurred", "it is embedded as a vector"),
    ("the search index", "umlauts are not found", "the analyzer folds accents"),
    ("the login page", "the focus jumps to the footer", "autofocus was removed from the captcha"),
    ("the Docker image", "it weighs two gigabytes", "the build happens in a stage of its own"),
    ("the CI pipeline", "it takes forty minutes", "the linters run beside the compiler"),
    ("the map widget", "markers vanish when zooming", "the clusters are recomputed on zoomend"),
    ("the chat bubble", "emoji are cut in half", "the text is cut by graphemes"),
    ("the coupon dialog", "codes are case sensitive", "codes are compared in upper case"),
    ("the address book", "duplicates appear after import", "entries are merged by normalized street"),
    ("the stock counter", "it goes negative", "the update checks the remaining amount"),
    ("the websocket bridge", "it drops after a minute", "a ping is sent every twenty seconds"),
    ("the terms page", "the anchor links are broken", "headings got stable ids"),
    ("the barcode scanner", "it hangs on old phones", "frames are scanned at half the resolution"),
    ("the print stylesheet", "tables break across pages", "rows avoid breaks inside"),
    ("the recommendation box", "it shows sold-out articles", "the query joins the stock table"),
    ("the settings screen", "dark mode is forgotten", "the theme is kept in local storage"),
    ("the mail templates", "Outlook ignores the margins", "the layout uses nested tables"),
    ("the rating stars", "half stars are rounded", "the width is set in percent"),
    ("the export job", "it dies at midnight", "the temporary folder is no longer cleaned by cron"),
    ("the voice memo", "it records silence in Safari", "the context is resumed on tap"),
    ("the loyalty points", "they expire too early", "the month is counted from the purchase"),
    ("the gift wrapping option", "it is charged twice", "the line is keyed by order"),
    ("the warehouse scanner app", "the camera permission is asked each time", "the manifest names the permission"),
    ("the sitemap", "it lists drafts", "drafts are filtered by state"),
    ("the job queue dashboard", "the numbers jump", "counts come from one snapshot"),
    ("the size chart", "inches and centimetres are mixed", "units are converted on display"),
    ("the referral link", "it loses its parameters", "the redirect keeps the query"),
    ("the returns form", "the reason is not saved", "the select got a name"),
    ("the phone menu", "it closes on scroll", "touchmove no longer bubbles"),
    ("the store locator", "opening hours are wrong on holidays", "holidays come from a calendar"),
    ("the video player", "captions are out of sync", "the offset is read from the track"),
    ("the wish list", "it is empty after sign-in", "the anonymous list is merged"),
    ("the webhook inspector", "large bodies freeze the page", "bodies are truncated at 64 kB"),
    ("the font loading", "text flashes", "fonts are preloaded"),
    ("the audit screen", "filters are reset by the back button", "filters live in the URL"),
    ("the color picker", "hex codes without a hash fail", "the hash is optional"),
    ("the onboarding tour", "it starts again on every visit", "the step is stored on the server"),
    ("the receipt printer", "it prints Cyrillic as boxes", "the code page is sent first"),
    ("the holiday banner", "it covers the menu", "it moved below the header"),
)

_PLAIN = tuple(
    """Rename the variable i to index in this loop.
Explain what this regular expression does.
Fix the indentation of this file.
Remove the unused imports.
Write a docstring for this function.
Split this function into two smaller ones.
What does the keyword yield do in Python?
Sort the methods of this class alphabetically.
Turn this list comprehension into a plain loop.
Add type hints to this module.
Why does the compiler say that x may be undefined here?
Convert this script to TypeScript.
Run the linter and show me its output.
Which files did you change?
Undo the last edit.
Show me the diff.
Make this code more readable.
Extract the magic numbers into constants.
Write a unit test for the parse function.
Is there a shorter way to write this?
Continue where you left off.
What is the time complexity of this algorithm?
Replace the print statements by nothing.
Format the file with black.
Delete the commented-out code.
How do I reverse a string in Rust?
Add a license header to each file.
Rename the file utils.py to text.py.
Inline this helper function.
Move this class into a module of its own.
Use a dictionary instead of the long if chain.
Please shorten the README.
Spell-check the comments.
Add a .gitignore for Python.
What is the difference between a list and a tuple?
Make the constructor private.
Implement the equals method.
Write a Makefile with a target for tests.
Bump the minor version.
Explain this stack trace to me.
How can I profile this function?
Use pathlib instead of os.path.
Write the recursion as a loop.
Add an empty line at the end of the file.
Use f-strings here.
Translate the comments into English.
Find the off-by-one mistake in this loop.
Implement a binary search.
Write a quicksort in Go.
Add a command line flag for verbose mode.
Which version of Node is installed?
Open the file main.rs and summarize it.
List the functions in this module.
Make the struct generic.
Use an enum instead of these strings.
Add a main guard to the script.
Turn the callback into a promise.
What does this shell command do?
Replace tabs by spaces.
Use early returns to flatten this function.
Write a hello world in Zig.
Add a default branch to the switch.
Rename the test so that it says what it checks.
Mark the function as deprecated.
Sort the imports.
Check whether the brackets are balanced.
Implement the Fibonacci function with memoization.
Write a function that counts vowels.
Why is this variable captured by the closure?
Use const where possible.
Generate a random UUID in Java.
How do I exit vim?
Make the loop stop at the first match.
Use a set for the lookup.
Write a one-line summary of this file.
Explain dependency injection in two sentences.
Convert the decimal number to binary.
Declare the interface for this class.
Add parentheses to make the precedence clear.
Simplify this boolean expression.
Write a palindrome check.
Which design pattern is this?
Set the executable bit on the script.
What is a monad?
Fix the typo in the heading.
Swap the two arguments.
Print the abstract syntax tree.
Add a missing semicolon.
Compare these two strings without case.
Implement FizzBuzz in Haskell.
Turn the tuple into a named tuple.
Write the loop with an iterator.
Count the lines of code in this folder.
Make the class iterable.
What does the ampersand mean here?
Remove the trailing whitespace.
Compute the factorial of a big integer.
Wrap the lines at eighty characters.
Use a generator expression here.
Thanks, that looks good to me.""".splitlines()
)

SHOP = Project(_TASKS, _TOPICS, _PLAIN)
