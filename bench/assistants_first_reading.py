"""What `bench assistants` asks of the last project: a ticket shop of theaters. It was written after all rules, and no
rule was changed for it: its figures are those of the first reading."""

from __future__ import annotations

from bench.assistants_tasks import Project, Task

_THEATER_TASKS = (
    Task(
        "Seats that were reserved and never paid block the house. How long do we hold them?",
        "12 minutes. Longer and the box office gets angry, shorter and PayPal people don't make it",
        "Let buyers put several performances into one cart.",
    ),
    Task(
        "I'd take Pusher for the live seat map, it's the quickest.",
        "nope, Reverb, we host it ourselves. the venues' contracts say no US services for visitor data",
        "Show the cashier how many people are waiting in the queue right now.",
        asker="assistant",
    ),
    Task(
        "The Vue 2 components in admin, shall I migrate them while I'm at it?",
        "only if you touch them anyway. a big bang costs us a month that nobody pays",
        "Add a column with the reduced price to the price table in admin.",
        asker="assistant",
    ),
    Task(
        "Why was the revenue report of the Schauspielhaus rejected?",
        "Their accountant explained it: vouchers count as revenue when they're redeemed, not when they're sold. Until "
        "then it's a liability. The report does that now.",
        "Add gift cards that people can buy online to the statistics.",
        by="assistant",
        line="vouchers count as revenue when they're redeemed, not when they're sold",
    ),
    Task(
        "Double sold seat again, row 4 seat 11. Please find the reason.",
        "Two requests read the seat as free in the same millisecond. I put the check and the update into one statement "
        "with a lock on the seat row. SeatService::claim() does that, so anything that changes a seat's state should "
        "call it and not write to the table. I added a test with 50 parallel buyers.",
        "Box office staff want to move a booking to another seat.",
        by="assistant",
        line="anything that changes a seat's state should call it and not write to the table",
    ),
    Task(
        "which php version can I use",
        "8.1, the server of the opera is managed by the city and they don't update before summer break",
        "Make the value objects nicer, readonly classes and typed constants would help.",
    ),
    Task(
        "The printer prints garbage for Dvořák.",
        "the Boca printers only know code page 850, everything that goes to them has to be transliterated before. "
        "Printer::ascii() does it",
        "Print the name of the composer below the title.",
    ),
    Task(
        "Can a visitor cancel online?",
        "Legally tickets for a date are exempt from the right of withdrawal, and the theaters don't want it. Exchange "
        "for another date is fine, up to 24 hours before.",
        "Visitors who fell ill ask us to help; add something to the order page.",
    ),
    Task(
        "Should the discount codes be checked in JS as well?",
        "Server only. Someone read the codes out of the bundle last Christmas",
        "Show a hint right away when somebody types in a code for students.",
    ),
    Task(
        "What about the fee, do we show it at the end like the others?",
        "final price from the first page on, including the fee. That's the law since the last ruling and we're decent "
        "people",
        "Build the list of performances with what a ticket costs.",
    ),
    Task(
        "We have 4 date pickers. Four!",
        "Jule and I sat down: FlatDate stays, the others go when their page is redone",
        "Visitors want to search for performances between two days.",
    ),
    Task(
        "Google complains about the emails again.",
        "It's the reminders: we sent 30,000 within a minute. I'd spread bulk mail over an hour through the queue "
        "`slow`, and keep `fast` for tickets and passwords. Shall I change it?",
        "Tell all subscribers that the season program is out.",
        by="assistant",
        line="spread bulk mail over an hour through the queue `slow`",
        then="do that please",
    ),
    Task(
        "How was the training at the puppet theater?",
        "lovely people, 3 of them, average age 65. they can't tell our greys apart, the beamer in their foyer is from "
        "2009. and they print every evening's list on paper because the scanner has no reception in the cellar, so the "
        "guest list must stay printable on a single A4 page. got a free puppet too. next one is on the 12th.",
        "The guest list should also have phone numbers and notes.",
        line="the guest list must stay printable on a single A4 page",
    ),
    Task(
        "Where do the texts for the venues live? I found three places.",
        "in the CMS. lang files are for buttons and errors, the config has nothing to do with it",
        "The foyer opens one hour before; put that on each venue's page.",
    ),
    Task(
        "Test data: can I copy the production database?",
        "God no. `artisan demo:house` builds a theater with 600 seats and fake people, extend that if something is "
        "missing",
        "I need orders with refunds on my machine to debug the accounting page.",
    ),
    Task(
        "the accessibility audit is back, 31 findings",
        "Most are labels. The big one is the seat map: nothing in there works by keyboard, and they made it a condition "
        "that every seat can be reached and booked without a mouse by September. I fixed the labels.",
        "Let people select a block of neighboring seats by dragging.",
        by="assistant",
        line="every seat can be reached and booked without a mouse by September",
    ),
)

_THEATER_TOPICS = (
    ("the season calendar", "Mondays are missing", "the week starts on Monday"),
    ("the login mail", "the greeting is empty", "the name is loaded"),
    ("the poster upload", "PNG files turn black", "the alpha channel is flattened"),
    ("the barcode", "it is too small on phones", "it fills the width"),
    ("the invoice number", "it restarts in January", "the year is part of it"),
    ("the waiting page", "the counter goes up", "the order is reversed"),
    ("the search", "Käthe is not found by Kaethe", "umlauts are folded"),
    ("the admin menu", "it flickers", "the transition is removed"),
    ("the cast list", "names are sorted by first name", "the last name comes first"),
    ("the map of the venue", "the door is on the wrong side", "the drawing is mirrored"),
    ("the newsletter form", "it accepts a@b", "the domain is checked"),
    ("the trailer", "it starts with sound", "it is muted"),
    ("the export for the city", "the semicolon is missing", "the delimiter is set"),
    ("the season ticket", "the photo is rotated", "the EXIF flag is read"),
    ("the cron job", "it runs twice in October", "it runs in UTC"),
    ("the review stars", "they are cut at 4.5", "the clip path is wider"),
    ("the stage plan", "it prints on two pages", "the margin is smaller"),
    ("the session", "it ends during the payment", "it is renewed"),
    ("the sitemap", "old plays are listed", "the filter uses the date"),
    ("the cloakroom counter", "it is off by one", "the loop ends earlier"),
)

_THEATER_TALKS = (
    (
        "what is a stanchion",
        "A post with a rope, as in the foyer. In the code it's the class for queue barriers.",
        "lol ok",
    ),
    (
        "SQLSTATE[42S22]: Column not found: 1054 Unknown column 'zone'",
        "The migration from Tuesday wasn't run on your machine. After `artisan migrate` the page loads.",
        "yes, thanks",
    ),
    (
        "how many tickets did we sell on Saturday",
        "4,112, of which 2,950 online. The Schauspielhaus had 1,204.",
        "wow",
    ),
    (
        "Livewire or Inertia, what do people use these days?",
        "Both are common. Livewire keeps the logic in PHP, Inertia connects to Vue. You have 46 Vue components.",
        "I'll read a bit",
    ),
    (
        "clean up OrderController please",
        "I moved the mails to listeners and the PDF to a job. The controller went from 640 to 210 lines. All tests pass.",
        "very nice",
    ),
    (
        "did the deploy go through?",
        "It finished at 14:02. The health check answered after 9 seconds, and there were no errors since.",
    ),
    (
        "explain optimistic locking in two sentences",
        "You read a row with its version and write only if the version is unchanged. If somebody was faster, you read "
        "again.",
        "ah",
    ),
    (
        "maybe we could offer wallet passes one day",
        "Apple and Google both have an API; Apple wants a yearly account. The barcode could stay the same.",
        "let me ask the houses if anybody wants it",
    ),
    (
        "composer update broke everything",
        "It raised a mail package by a major version. I set it back to the lock file of main, and the tests are green.",
        "puh",
    ),
    ("who wrote the seat map originally?", "The first commit is from Lars, in May 2018.", "before my time"),
    (
        "Is there a way to see slow queries on staging",
        "Telescope lists them under Queries, with a tag for those above 100 ms. Right now there are 14.",
        "found it",
    ),
    (
        "I have a headache from this CSS",
        "The grid sits in a flex container with a fixed height, so it can't grow. Without the height it looks right in "
        "Firefox and Chrome.",
        "you're a hero",
    ),
    (
        "what could we show at the trade fair?",
        "The seat map with 3,000 seats, the cashier on a tablet, and the season ticket. The statistics look empty "
        "without data.",
        "good list",
    ),
    (
        "Rename Play to Production, the houses call it that",
        "Renamed in 88 files; URLs with /play redirect. The tests pass.",
        "perfect",
    ),
    (
        "the customer on the phone says the page is white",
        "Her browser is Safari 12, and the bundle uses optional chaining. 0.3 % of visitors have it.",
        "I'll tell her to use her phone",
    ),
    (
        "what does 'house seats' mean in this table?",
        "Seats that the theater keeps for itself, for the press or the cast. There are 9 to 30 per performance.",
    ),
    (
        "I want to write a blog post about the queue, any ideas?",
        "You could begin with the night of the musical: 18,000 people in ten minutes, and then the three things that "
        "broke.",
        "haha, too honest",
    ),
    (
        "coverage?",
        "61 %, up from 58. SeatService has 97 and the reports 22.",
        "meh",
    ),
    (
        "the tests fail with 'Maximum execution time'",
        "The faker loop never ends when all 600 names are used. With a fresh seed per test it takes 4 seconds.",
        "commit",
    ),
    (
        "is the opera's order from this morning stuck?",
        "It waits for the bank: the transfer is announced and not booked yet. Such orders take a day on average.",
        "fine then",
    ),
)

_THEATER_PLAIN = tuple(
    f"{what} {where}."
    for what, where in [
        (what, where)
        for where in ("in the developer handbook", "on the careers page", "of the style guide", "in the wiki")
        for what in (
            "Fix the typos",
            "Add a table of contents",
            "Update the screenshots",
            "Remove the dead links",
            "Sort the headings",
            "Change the font",
            "Add syntax highlighting",
            "Center the pictures",
            "Shorten the introduction",
            "Add a glossary",
            "Use our new colors",
            "Add anchors to the headings",
            "Compress the pictures",
        )
    ]
) + tuple(
    """Explain what a trait is in PHP.
Write a Dockerfile for the mock server.
Why is npm so slow today?
Add an .editorconfig.
What does array_walk do?
Upgrade Tailwind to version 4.
Set up Pint in the pre-commit hook.
Add a favicon to the admin.
Convert the icons to a sprite.
Add a dark mode to the admin.
Draw a diagram of the event listeners.
Replace moment by dayjs.
Make the sidebar of the admin collapsible.
Remove unused CSS.
Turn on strict mode in tsconfig.
Write a script that prints all artisan commands.
Add a story for the avatar component.
Use Vitest instead of Jest.
Add a spinner to the login button.
Group the routes in web.php by prefix.
Find TODO comments older than a year.
Explain how service providers work.
Add a tooltip to the help icon.
Write a commit message for this diff.
Show the git hash in the footer of the admin.
Rename the folder misc.
Cache node_modules on the CI.
Add PHPStan at level 5.
Fix the warning about implicit nullable parameters.
Replace the loader gif by CSS.
Add a 500 page with a joke.
Type the global window object.
Add a keyboard shortcut for the admin search.
Split vite.config.js.
Explain the difference between include and require.
Add a GitHub action that labels pull requests.
Use enum syntax for the log levels.
Add a toggle for compact tables to the admin.
Move the helpers into a namespace.
Write a test for the slug helper.
Add a changelog.
Use relative imports in the ui folder.
Generate TypeScript types for the icons.
Add a banner for maintenance.
Make links in the admin footer open in a new tab.
Show the memory usage in the debug bar.
Add a loading skeleton to the news.
Count lines of code per folder.""".splitlines()
)

THEATER = Project(_THEATER_TASKS, _THEATER_TOPICS, _THEATER_PLAIN, "assistant", talks=_THEATER_TALKS)
