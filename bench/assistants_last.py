"""What `bench assistants` asks of two projects that were written one after the other when the rules were thought to be
done: a platform for weather data, and a ticket shop of theaters. Each was measured once before a rule was changed."""

from __future__ import annotations

from bench.assistants_tasks import Project, Task

_METEO_TASKS = (
    Task(
        "Which orchestrator do you want for the new jobs? Airflow is there already; Dagster would give us assets and "
        "better local runs.",
        "stay on airflow for now, two orchestrators is one too many",
        "Schedule the new satellite import so that it runs every three hours.",
        asker="assistant",
    ),
    Task(
        "I wrote the station ids as integers since all of them are numeric.",
        "ids are strings! the Norwegians have leading zeros and we lost 40 stations because of that last year",
        "Create the table for the maintenance history of the stations.",
        asker="assistant",
    ),
    Task(
        "Temperature in the API: Celsius or Kelvin?",
        "Kelvin inside, Celsius at the edge. So the models and the lake hold Kelvin and only the API and the charts "
        "convert.",
        "Add dew point to the hourly aggregates.",
    ),
    Task(
        "The bill for March is 14,000. What happened?",
        "I broke it down by query. Most of it is one dashboard that scans the raw table every five minutes, 2.1 TB "
        "each time. I pointed it to the hourly aggregate, which costs cents. Dashboards and notebooks should read the "
        "aggregates, raw is only for the pipeline itself. I also added a budget alert at 500 a day.",
        "Build a chart that shows the rain of the last 30 days for a region.",
        by="assistant",
        line="Dashboards and notebooks should read the aggregates, raw is only for the pipeline itself.",
    ),
    Task(
        "what did the Met Office people say about our scraper",
        "they were nice about it but no more scraping, we're supposed to use their datahub with the key that Nadia "
        "got, 360 calls a day",
        "Get the British radar composites as well.",
    ),
    Task(
        "Backfill of 2019 has been running for two days. Can I just start it with 64 workers?",
        "don't, the lake's metadata service falls over at more than 16 writers. been there",
        "Reprocess all files of the last five years with the corrected calibration, as fast as possible.",
    ),
    Task(
        "Where do I put secrets for the new sources?",
        "Vault, path sources/<name>. Env files are how the old key ended up on GitHub.",
        "Add the Japanese weather service as a source; it needs a user name and a token.",
    ),
    Task(
        "The forecast for Basel has been empty on the 29th again.",
        "The cause is the join on the valid time: GFS labels the end of the interval and ECMWF the beginning. I "
        "normalized both to the beginning in ingest/normalize.py, and every new model has to be converted there, or "
        "the ensemble mixes hours. Tests cover both. I re-ran the 29th and Basel is back.",
        "Add ICON from the German weather service to the ensemble.",
        by="assistant",
        line="every new model has to be converted there",
    ),
    Task(
        "Should deleted stations vanish from the history?",
        "No. Climatologists get mad. A closed station keeps its rows and gets an end date.",
        "Station 10488 was dismantled yesterday. Remove it from the system.",
    ),
    Task(
        "We have pandas, polars and spark code for more or less the same thing...",
        "I know. Polars won. Whoever touches a pandas job ports it, and Spark stays for the reanalysis only because of "
        "its size",
        "Write the job that computes monthly normals per station.",
    ),
    Task(
        "How about letting the LLM write the warning texts? I tried it, it reads well.",
        "cool demo but a warning text is an official act, says the ministry. templates that a forecaster has approved, "
        "nothing generated",
        "Write the text for the new black ice warning.",
    ),
    Task(
        "PR 233 fails the schema check. I could add the column in the middle so that it is next to the wind speed.",
        "new columns go to the end, the Parquet readers of the insurance customers read by position (I know...)",
        "Add wind gusts to the export files.",
        asker="assistant",
    ),
    Task(
        "Which rounding for precipitation? We show 0.04 mm sometimes, looks silly.",
        "one decimal, and anything below 0.1 is shown as 'trace'",
        "Show the rain amount on the station page.",
    ),
    Task(
        "Nobody reacted to the alert on Sunday.",
        "It went to the mail list that nobody reads. I'd propose PagerDuty for what has to be fixed at night, the "
        "Slack channel for everything else and no mails at all. I have prepared the change in alerts.tf, apply it?",
        "Tell us when the lightning feed is late.",
        by="assistant",
        line="PagerDuty for what has to be fixed at night, the Slack channel for everything else",
        then="yep, apply it",
    ),
    Task(
        "so, how was the call with the airport",
        "fine. they're happy with the accuracy, less so with Tuesday. their systems poll us every minute and a "
        "response above two seconds counts as an outage in the contract, so they had three outages, on paper. rest of "
        "the hour was about hail and golf. Priya will send minutes.",
        "The airport endpoint should also return the probability of thunderstorms; it takes the model a while to "
        "compute.",
        line="a response above two seconds counts as an outage in the contract",
    ),
    Task(
        "What is left of the old FTP server? Can I switch it off?",
        "Leave it running until the Swiss hail network has moved, they push there and have no budget before 2027",
        "Clean up the terraform code, throw out what we don't use any more.",
    ),
    Task(
        "Tests of the ingest take 20 minutes since they download real GRIB files.",
        "We cut them down: tests use the 12 small GRIB files under tests/grib, 30 kB each, made with grib_copy. Want a "
        "new case? Cut one out the same way. The suite takes 50 seconds now.",
        "Test that the import handles the files of the Korean model.",
        by="assistant",
        line="tests use the 12 small GRIB files under tests/grib",
    ),
    Task(
        "Name of the new service?",
        "after winds like the others, so mistral",
        "Start a new service that delivers pollen counts. Create its folder and its skeleton.",
    ),
)

_METEO_TOPICS = (
    ("the station map", "markers overlap at zoom 4", "they are clustered"),
    ("the CSV reader", "a quoted newline splits the row", "the dialect is set"),
    ("the login of the wiki", "it loops", "the cookie domain is set"),
    ("the pressure chart", "the axis is upside down", "the scale is flipped"),
    ("the buoy import", "one buoy has a negative depth", "the sign is corrected"),
    ("the pollen icon", "it looks like a virus", "a flower is used"),
    ("the sunrise table", "Tromsø has no sunset", "the cell says polar day"),
    ("the health page", "it shows yesterday's job", "the run id is compared"),
    ("the unit tests", "two of them depend on their order", "the cache is cleared"),
    ("the snow report", "the header is printed twice", "the template is fixed"),
    ("the language menu", "Welsh is shown as English", "the tag is cy"),
    ("the time slider", "it skips midnight", "the index starts at zero"),
    ("the wind rose", "north-west is missing", "there are 16 sectors"),
    ("the docs build", "the link checker times out", "it is retried"),
    ("the tide page", "the tide is one hour late", "the summer time is applied"),
)

_METEO_TALKS = (
    (
        "what does `nodata` mean in these rasters",
        "It's the value that marks pixels without a measurement, -9999 here. Most tools mask it by themselves.",
        "right",
    ),
    (
        "the DAG import is broken: ModuleNotFoundError: No module named 'eccodes'",
        "The image was built without the extra. Line 14 of the Dockerfile installs '.[base]'. With '.[base,grib]' the "
        "import works here.",
        "change it",
        "Changed and rebuilt. The DAG shows up in the list.",
    ),
    (
        "how many stations do we have per country?",
        "Germany 2,180, Norway 840, Switzerland 612, Austria 540, United Kingdom 497, others 1,322.",
    ),
    (
        "Maybe Iceberg instead of the homegrown manifest? I keep reading about it.",
        "It would bring snapshots and schema evolution. Migration means rewriting the manifests of 61 TB, the data "
        "files can stay. I have no numbers for your query engine.",
        "one for the offsite",
    ),
    (
        "explain the difference between a forecast and a reanalysis please",
        "A forecast starts from now and looks ahead. A reanalysis runs a fixed model over the past, with all "
        "observations that are known today.",
        "good explanation, thanks",
    ),
    (
        "the radar job is yellow",
        "One of 12 tasks was retried: the download of 14:35 ended after 60 % and the second attempt succeeded. The "
        "output is complete.",
        "ok ignore",
    ),
    (
        "refactor quality.py a bit, it's one long if",
        "I turned the chain into a list of checks with a name and a function each. The order is the same. 44 tests "
        "pass, and I deleted two checks that could not be reached.",
        "much better",
    ),
    (
        "how did the others do the interpolation, kriging?",
        "There are three notebooks: Priya's uses inverse distance, Tom's kriging with an exponential variogram, and "
        "the oldest one nearest neighbors. None of them is in production.",
        "hm interesting",
    ),
    (
        "Exception: HTTP 429 from the geocoder, what do I do?",
        "Wait, for now: the header says retry after 58 seconds. You called it 700 times in the loop of the notebook. "
        "Unique names would be 90.",
        "oops",
    ),
    (
        "what's our test coverage",
        "78 % overall; ingest 91, api 84, plots 41.",
        "plots are hard to test I guess",
    ),
    (
        "could we predict hail with this data at all? just dreaming",
        "Perhaps for the next hour, from radar and lightning. There are papers with a hit rate of around 60 %. You "
        "would need labels, and the Swiss network has some.",
        "cool, one day",
    ),
    (
        "write me a docstring for `wet_bulb`",
        'Here it is: """Wet bulb temperature in kelvin after Stull (2011), for 5 to 99 % relative humidity."""',
        "paste it in",
    ),
    (
        "merge conflict in poetry.lock :(",
        "I took main's version and ran the lock command again; 3 packages differ from your branch. The tests pass.",
        "ty",
    ),
    (
        "is the Norwegian feed slow or is it us",
        "Them. Their first byte takes 4.1 s today, ours 0.2 s. It was 0.6 s last week.",
        "I'll write to them",
    ),
    (
        "let's brainstorm names for the newsletter",
        "Isobar, Cloud Cover, Fair Weather Friends, The Front, High and Low.",
        "haha The Front",
    ),
    (
        "What's the type of `lead`? mypy complains",
        "It's Optional[timedelta], as the parser returns None for analyses. In line 77 you subtract it without a "
        "check.",
        "fixed, thanks",
    ),
    (
        "plot the temperature of last week for Oslo",
        "Done, it's in plots/oslo.png: between 2.1 and 11.8 degrees, with a gap of three hours on Wednesday.",
        "nice",
    ),
    (
        "should I learn Rust or Go this year?",
        "For your work on decoders Rust has more to offer. Go would be quicker to learn.",
    ),
    (
        "we have an intern in May, what could she do?",
        "Some ideas: tests for plots, the wind rose in the app, a comparison of the three interpolations. The last one "
        "has no deadline.",
        "I'll ask what she likes",
    ),
    (
        "disk of the build machine is full",
        "Docker images take 310 of 400 GB. After pruning those older than 30 days, 180 GB are free.",
        "great",
    ),
    (
        "why's the lightning layer so late today",
        "The feed itself is late: the newest stroke is 11 minutes old. Our part takes 9 seconds.",
        "ok not us then",
    ),
    (
        "rename Obs to Observation in the python client",
        "Renamed in 19 files, with an alias for the old name. Type check passes.",
        "push it",
    ),
    (
        "did anyone look at the error budget",
        "The board says 62 % is left for this quarter. The largest part went on the 4th of May, with 51 minutes.",
        "fine",
    ),
    (
        "I'd love to have a dark map style, someday",
        "MapTiler and Stadia both have one. The tiles are separate, so the traffic would be cached twice.",
        "someday",
    ),
    (
        "SELECT is slow: SELECT * FROM obs WHERE date(at) = '2026-01-04'",
        "The function on the column prevents the use of the index. With at >= '2026-01-04' AND at < '2026-01-05' it "
        "takes 30 ms instead of 9 s.",
        "makes sense",
    ),
    (
        "is Tom's branch done?",
        "It's 4 commits ahead and 60 behind, and its last commit is called 'wip hail'.",
        "so no",
    ),
)

_METEO_PLAIN = tuple(
    """Add a favicon to the wiki.
What does the zip function do?
Add a license file.
Sort the menu entries.
Make the footer sticky.
Why is my terminal so slow?
Write a script that lists large git objects.
Add a code of conduct.
Rename the variable foo in the notebook.
Explain what a context manager is.
Add a print stylesheet.
Use ruff instead of flake8.
Fix the typo "recieve" in the docs.
Add a search box to the docs.
Add type hints to cli.py.
Put the logo on the login page.
Write a regex for e-mail addresses.
Convert the README to reStructuredText.
Show a spinner while the map loads.
Add a keyboard shortcut for full screen.
Bump the version to 2.8.
Add a changelog entry for the new menu.
Generate a class diagram of the client.
Split the settings page into tabs.
Why does pip resolve so long?
Add an about dialog.
Let users hide the sidebar.
Translate the menu to Finnish.
Center the title on mobile.
Add a Slack link to the docs.
Move the CSS into its own file.
Explain Python's GIL.
Add a Makefile.
Make the buttons rounder.
Create a logo for the newsletter.
Write an e-mail template for the newsletter.
Let people unsubscribe from the newsletter.
Add an emoji picker to the comments.
Add a 'copy link' button.
Show who edited a wiki page.
Turn the FAQ into an accordion.
Add a badge for the build to the README.
Find unused imports.
Remove the jQuery dependency.
Add a pull request template.
Set up devcontainers.
Add hover effects to the cards.
Write a bash completion for the CLI.
Make the CLI print colors.
Add a --quiet option to the CLI.
Explain this traceback: RecursionError in render_menu.
Fix the broken link in the contributing guide.
Rename the branch from master to main.
Why does the cursor jump in the comment box?
Add markdown support to comments.
Let users upload an avatar.
Show the number of comments.
Add a profile page.
Send a welcome mail.
Add breadcrumbs to the wiki.
Add a table of contents to long pages.
Use a serif font for articles.
Add social media cards.
Write a blog post about the new logo.
Add an author box to articles.
Paginate the blog.
Add tags to blog posts.
Make the images of the blog responsive.
Compress the images of the blog.
Add a reading time to articles.
Show related articles.
Let editors schedule blog posts.
Spell check the imprint.
Add a cookie notice.
Group the imports by isort.
Explain list comprehensions to a beginner.
Add a docstring to main().
Add doctest to the CI.
Convert print statements to logging in cli.py.
Use pathlib in cli.py.
Write a setup guide for Windows.
Add VS Code settings.
Fix the indentation of the YAML files.
Add an editorconfig.
Make the tables in the docs sortable.
Add a dark mode to the docs.
Let visitors rate a docs page.
Add a feedback link to each docs page.
Add versions to the docs.
Redirect the old docs URLs.
Add a banner for the user conference.
Put the conference program online.
Add a registration form for the conference.
Show speakers with photos.
Print name badges for the conference.
Add a countdown to the conference.
Make a quiz for the conference.
Draw a floor plan as SVG.
Collect the slides in one folder.
Thank the sponsors on the front page.""".splitlines()
)

METEO = Project(_METEO_TASKS, _METEO_TOPICS, _METEO_PLAIN, "assistant", talks=_METEO_TALKS)

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
        "Most are labels. The big one is the seat map: nothing in there works by keyboard, and they made it a "
        "condition that every seat can be reached and booked without a mouse by September. I fixed the labels.",
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
        "I moved the mails to listeners and the PDF to a job. The controller went from 640 to 210 lines. All tests "
        "pass.",
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
