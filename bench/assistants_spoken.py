"""What `bench assistants` asks of two projects whose developers talk as they do at work: short answers, conventions,
what others told them, what turned out; and sessions that settle nothing. Written before anything was run on them."""

from __future__ import annotations

from bench.assistants_tasks import Project, Task

_PAYROLL_TASKS = (
    Task(
        "MySQL is what the old app runs on. Postgres would give us JSONB and partial indexes for the reporting "
        "service. Both work with the current ORM. Which one do you want?",
        "ok, Postgres then",
        "Scaffold the compose file and the connection config of the reporting service.",
        asker="assistant",
    ),
    Task(
        "I raised the retries of the bank client to 10 because the sandbox is flaky, and the tests are green now.",
        "no, keep the retries at 3, the bank blocks us for an hour after the fourth",
        "Payouts fail now and then with a 503. Make sending them more robust.",
        asker="assistant",
    ),
    Task(
        "The parser in vendor/elstam has a bug with empty lines. I can patch it in place, it's two lines.",
        "let's not touch the vendor folder. those files get synced from the tax office's repo every night and your "
        "patch is gone in the morning",
        "The tax table for 2027 has a new column and reading it fails. Fix it.",
        asker="assistant",
    ),
    Task(
        "I got paged at 3. The payslip job took the whole database cluster down with it, what do we know?",
        "ops said we get 20 connections per service on the shared cluster, not one more, they'll kill the pod "
        "otherwise",
        "Generating payslips at night takes four hours. Run it in parallel.",
    ),
    Task(
        "The Bangalore team asks for the employee master data as a file.",
        "talked to Henrike. legal won't allow bank account numbers or tax ids in anything that leaves the EU region, "
        "masked is fine as long as it's only the last four digits",
        "Add a CSV download of the employee list for the Indian subsidiary.",
    ),
    Task(
        "Where are we with the PDFs?",
        "puppeteer was way too slow, 3000 payslips took 50 minutes and 2 GB, so we're on pdfkit for everything that "
        "gets printed",
        "Employees want a yearly summary of their wages that they can print.",
    ),
    Task(
        "The reconciliation misses transactions, only on busy days. Any idea?",
        "Found it. I first suspected the date filter, but the query is right. I then logged the raw responses of "
        "/transactions and compared them with the statement. It turns out the bank's API caps pages at 100 entries and "
        "silently ignores a larger limit. We asked for 500 and stopped after the first short page. I changed the loop "
        "in bank/client.ts so that it follows the next link and added a test with 250 entries.",
        "Import the transactions of the whole last year for the auditors.",
        by="assistant",
        line="the bank's API caps pages at 100 entries",
    ),
    Task(
        "Why does half the code throw and the other half returns null? I'm lost.",
        "in this repo we never throw from a service. return a Result and let the controller map it to a status",
        "Write the service that ends an employment contract on a given date.",
    ),
    Task(
        "There are 41 feature flags and nobody knows what half of them do.",
        "please always put a new flag in flags.yaml with an owner and an expiry date, I'm tired of orphans",
        "Give the new overtime calculation to 10 % of our customers first.",
    ),
    Task(
        "A raise that was entered late has to change last month's payslip too. How would you model it?",
        "I'd store salaries as rows with valid_from and valid_to instead of overwriting the amount on the employee. "
        "Corrections for the past are then just another row, and the audit can see both. Shall I?",
        "HR wants to give somebody more money from next month on. Build the form and the endpoint.",
        by="assistant",
        line="store salaries as rows with valid_from and valid_to",
        then="yes, do that",
    ),
    Task(
        "The hourly wage on the payslip differs from the contract by a few cents.",
        "a month has 173.33 hours in our contracts, not 40 * 4.33. use HOURS_PER_MONTH from core/constants and nothing "
        "else",
        "Calculate what an hour of overtime pays for people with a fixed salary.",
    ),
    Task(
        "Two customers got their salaries paid twice. This is the worst thing that can happen, please find the cause.",
        "The worker crashed after the transfer and before the ack, so the broker delivered the job again. BullMQ "
        "deduplicates by jobId only as long as the finished job is kept, and we removed jobs on completion. Jobs that "
        "move money carry the pay run's id as jobId and are kept for 90 days. I set removeOnComplete accordingly in "
        "payout.queue.ts and wrote a test that delivers the same job twice.",
        "Reimburse travel expenses: once approved, the amount goes to the employee's account.",
        by="assistant",
        line="Jobs that move money carry the pay run's id as jobId and are kept for 90 days.",
    ),
    Task(
        "I'd like to add a field to the employee type, is there something I need to know?",
        "Marta owns the GraphQL schema, anything that changes it goes past her first. she has the mobile releases to "
        "think of",
        "Show the remaining vacation days in the mobile app.",
    ),
    Task(
        "Can we finally upgrade? Half the libraries have dropped 18.",
        "we're stuck on node 18 until Thales ships a driver for the HSM, Q3 at the earliest",
        "Clean up the upload code, it could use newer language features and the built-in glob.",
    ),
    Task(
        "The sum of contributions is off by a cent compared to the health insurer's own calculation.",
        "I read the circular again and compared with Hanna. So the insurer wants every contribution rounded half up "
        "per person and per branch, and the total is the sum of the rounded values. We did it the other way round. "
        "Also the example on page 12 has a typo, don't get confused by it. Everything else in there we do right.",
        "Add the new nursing care contribution to the calculation.",
        line="rounded half up per person and per branch, and the total is the sum of the rounded values",
    ),
    Task(
        "So what came out of the meeting with the works council?",
        "long one, two hours. they were mostly fine with the new screens, Gerd hated the color. the sick days are what "
        "they care about: managers may see that someone is away but not why, so the reason stays with HR. and they "
        "want to see it before it goes live. coffee was terrible.",
        "Give team leads a calendar of who is out this week.",
        line="managers may see that someone is away but not why, so the reason stays with HR",
    ),
)

_PAYROLL_TOPICS = (
    ("the login page", "the logo is stretched", "the aspect ratio is set"),
    ("the employee list", "sorting by name ignores umlauts", "the collator is used"),
    ("the onboarding mail", "the link has a double slash", "the base URL is trimmed"),
    ("the address form", "Swiss postcodes are refused", "the pattern accepts four digits"),
    ("the health check", "it says ok while redis is down", "redis is pinged too"),
    ("the avatar upload", "HEIC files fail", "they are converted to JPEG"),
    ("the audit page", "the newest entry is at the bottom", "the order is reversed"),
    ("the pension letter", "the second page is blank", "the page break is removed"),
    ("the time sheet", "Sunday belongs to the wrong week", "ISO weeks are used"),
    ("the children's allowance", "a birthday on the 29th of February crashes it", "the date library handles it"),
    ("the swagger page", "it lists internal routes", "they are excluded"),
    ("the web socket", "it reconnects in a tight loop", "there is a delay of two seconds"),
    ("the invoice preview", "the zoom jumps", "the transform origin is set"),
    ("the tenant switcher", "it shows closed tenants", "they are filtered"),
    ("the password mail", "it ends up in spam", "the DKIM key is renewed"),
    ("the cost center import", "the BOM is part of the first header", "it is stripped"),
)

_PAYROLL_TALKS = (
    (
        "what does the reduce in calc/gross.ts do?",
        "It sums the components of the gross wage. Each component has a sign, so deductions are negative, and the "
        "accumulator starts with zero. The third argument is the month.",
        "ah ok thanks",
    ),
    (
        "how's the migration to the new cluster going? did Ben say anything",
        "I can't see messages from Ben. The last commit on the branch is from Tuesday, and the pipeline is red in the "
        "step that copies secrets.",
        "right. I'll ask him",
    ),
    (
        "TypeError: Cannot read properties of undefined (reading 'taxClass')\n    at gross (calc/gross.ts:88:21)\nwhy?",
        "The employee in the fixture has no contract, so `contract.taxClass` fails. The query joins contracts with an "
        "inner join in production, which is why it never happens there. Do you want me to fix the fixture?",
        "yes please",
        "Done. I added a contract to the fixture `emp-7` and the 14 tests of gross pass.",
    ),
    (
        "Thinking out loud: maybe we should move the payslips to object storage at some point. The table is 80 GB.",
        "That could work. Pros: smaller backups and cheaper storage. Cons: no transaction across both, and you need "
        "presigned links. Partitioning the table by month would be another way.",
        "hm. not now. let me sleep on it",
    ),
    (
        "are there any tests for the church tax?",
        "Yes, 22 of them in calc/church.spec.ts. They cover all states except Bremen.",
        "ok",
    ),
    (
        "Refactor gross.ts, the function is 200 lines.",
        "I split gross() into components(), deductions() and total(). components() now returns an array, and I moved "
        "the constants to the top of the file. All 96 tests pass. Next I could do the same for net.ts.",
        "nice, net.ts another time",
    ),
    (
        "can you explain what an HSM session is?",
        "A session is a logical connection to the token. You log in once per session, and objects you create in it "
        "can be session objects, which vanish with it, or token objects, which stay.",
    ),
    (
        "I wonder whether Kafka would make the event stuff easier. everybody uses it",
        "It would give you replay and partitions. It would also be one more thing to run. With the volume you have, "
        "about 40 events a minute, either will do.",
        "yeah probably overkill, we'll see next year",
    ),
    (
        "the build is red again",
        "The step `lint` fails with 'Unexpected any' in mobile/src/api.ts line 31. It came in with commit 4f1c2d. "
        "I replaced it by the generated type and the lint passes locally.",
        "thx",
    ),
    (
        "what's the difference between the two date helpers",
        "toDay() drops the time and keeps the zone of the input; asDay() converts to Berlin first. They differ for "
        "inputs after 22:00 UTC in summer.",
        "good to know",
    ),
    (
        "review my PR please, it's #812",
        "Three remarks. The name `doIt` says nothing. The loop in line 40 awaits each request one after another. And "
        "there is no test for the empty list. The rest looks good to me.",
        "ok will fix the first and the third",
    ),
    (
        "pnpm install hangs on my machine since this morning",
        "The registry answers, so it's not the network. Your lockfile has a merge conflict in line 2210. After "
        "resolving it, the installation takes 40 seconds here.",
        "that was it",
    ),
    (
        "write a changelog for 4.12",
        "## 4.12\n- The employee list is sorted by the rules of the language\n- HEIC images are accepted\n- Fixed: the "
        "pension letter had an empty page\n- Fixed: the tenant switcher showed closed tenants",
        "perfect",
    ),
    (
        "we might need a second worker for December. what would that take?",
        "Mostly a value in the chart: workers.replicas from 1 to 2. The jobs are independent, so nothing in the code "
        "should break, but I would run it on staging for a week before.",
        "ok, I'll bring it up on Monday",
    ),
    (
        "Where is the tax id validated?",
        "In core/validators/taxId.ts, with the check digit of ISO 7064. The form calls it on blur and the API calls it "
        "again in the DTO.",
    ),
    (
        "I'm getting ECONNREFUSED 127.0.0.1:6379 in the tests",
        "Redis isn't running. `docker compose up -d redis` starts it; the tests expect it on the default port.",
        "works, thanks",
    ),
    (
        "how long does a full pay run take at the moment",
        "On the last three runs 41, 44 and 39 minutes for 11,800 employees. Two thirds of that is the calculation, "
        "the rest is writing.",
        "better than I thought",
    ),
    (
        "Make the table on the dashboard responsive.",
        "I wrapped it in a container with horizontal scrolling and hid the columns `branch` and `since` below 640 "
        "pixels. The screenshot tests needed new references, I updated them. You can see it under /dashboard.",
        "looks good",
    ),
    (
        "do you know why Jonas left the cache in there?",
        "The commit message says 'cache rates, see incident 31'. The incident is about the rate service being down "
        "for two hours in May. He may have wanted to bridge such outages.",
        "makes sense I guess",
    ),
    (
        "estimate: how much work is SSO for tenants?",
        "Roughly two weeks: OIDC login three days, mapping of roles three days, the admin screen two, and tests. SAML "
        "would come on top. There are open questions, such as what happens to local passwords.",
        "ok, I'll put that on the list",
    ),
    (
        "I tried pglite for the unit tests over lunch, pretty cool, 3 seconds for the whole suite",
        "Nice. It lacks a few extensions, pgcrypto among them, which two of your migrations use.",
        "yeah just playing around",
    ),
    (
        "rename Employe to Employee everywhere",
        "Renamed in 31 files. The migration 0042 still holds the old spelling since it has already run. Type check and "
        "tests pass.",
        "great, commit",
    ),
    (
        "what do you think about the new design Gerd sent?",
        "The spacing is calmer and the contrast is better. The primary button is far away from the form, and the table "
        "has no place for long names.",
        "I'll tell him",
    ),
    (
        "is the staging db a copy of production",
        "It's restored from an anonymized dump each Sunday at 02:00; the job is `restore-staging` in the infra repo.",
    ),
    (
        "run the e2e suite",
        "58 passed, 2 failed: 'tenant can be closed' timed out after 30 s, and 'payslip is downloaded' found a file of "
        "0 bytes. Both passed in the second run.",
        "flaky as always",
    ),
    (
        "there's a TODO in payout.ts from 2023, what is it about?",
        "It says 'TODO use instant transfers once the bank has them'. The bank announced them for next year. The code "
        "path would be the same, with another service level code.",
        "leave it",
    ),
)

_PAYROLL_PLAIN = tuple(
    """Add a dark theme to the web app.
Write a README for the ui package.
What does the useDebounce hook do?
Add a skeleton while the dashboard is loading.
Upgrade eslint to version 9.
Fix the typo on the imprint page.
Why is the sidebar flickering on hover?
Add a keyboard shortcut for the search.
Generate types for the icon set.
Show the build number in the footer.
Write a Dockerfile for the docs site.
Set up Renovate.
Add a toast after saving the profile.
Make the logo link to the start page.
Explain the difference between interface and type.
Remove lodash from the ui package.
Add Italian to the language switcher.
Write a script that prints the size of each bundle.
Convert the class components in admin to functions.
Why do I get a hydration warning on the landing page?
Add an empty state to the notifications list.
Let people reorder the widgets on the dashboard.
Add a robots.txt.
Use the new spacing tokens in the card component.
Add a favicon for dark mode.
Fix the z-index of the date picker.
Add a story for the Badge component.
Show a spinner on the submit button.
Write a codemod that renames the prop `kind` to `variant`.
Add a 404 page.
Put the changelog on the website.
Add aria labels to the icon buttons.
Make the tooltip appear faster.
Sort the imports in all files.
Lazy load the charts.
Cut the hero image down to 100 kB.
Add a test for the color picker.
Move the storybook build to its own job.
Add a print button to the wiki.
Fix the scroll position after going back.
Add a cookie banner.
Show unread news with a dot.
Set the viewport meta tag.
Replace moment by date-fns in the ui package.
Write a commit message for the staged changes.
Explain this regex: ^(?:[a-z]+-)*[a-z]+$
Add syntax highlighting to the docs.
Make the modal close on escape.
Translate the onboarding tour to French.
Add a progress bar to the tour.
Turn on source maps for staging.
Put the fonts on our own host.
Add autofocus to the first field of the login.
Why is git status so slow here?
Squash the last three commits.
Add a CODEOWNERS file.
Let users choose an avatar color.
Add an RSS feed to the blog.
Test the breadcrumb component.
Group the settings into tabs.
Change the page title when the tenant changes.
Remember whether the sidebar is collapsed.
Create an Open Graph image.
Explain how the router guards work.
Add a favicon badge with the number of tasks.
Use CSS grid for the footer.
Add a "back to top" button.
Fix the contrast of the disabled buttons.
Add an animation to the accordion.
Type the event bus.
Clean up the unused translations.
Add a link to the status page.
Show the keyboard shortcuts in a dialog.
Make the search box wider on large screens.
Set up Playwright traces for failed tests.
Add a lint rule against console.log.
Draw the module graph of the web app.
Add a help icon beside the page title.
Replace the spinner with three dots.
What is the purpose of tsconfig.base.json?
Add stale-while-revalidate headers to the static files.
Fix the alignment of the checkboxes in Safari.
Add a beta label to the chat.
Write a snapshot test for the header.
Add confetti when the tour is done.
Show relative times in the news feed.
Fix the warning about missing keys in NewsList.
Make a component out of the page header.
Add a way to copy the link of a news item.
Give the wiki a table of contents.
Configure the editor to format on save.
Add a stylesheet for high contrast.
Use a monospace font in code blocks.
Let people hide the tips.
Preload the main font.
Find out which icons are not used.
Write a short tutorial for the design tokens.
Move the feature tour into a package.
Add a test that the sitemap is valid XML.
Measure how long the first paint takes.""".splitlines()
)

PAYROLL = Project(_PAYROLL_TASKS, _PAYROLL_TOPICS, _PAYROLL_PLAIN, "assistant", talks=_PAYROLL_TALKS)

_EBIKE_TASKS = (
    Task(
        "Third board that is dead after an update. Two left. What is going on?",
        "I went through the erratum sheet and reproduced it on board 2 with the debugger attached. The updater writes "
        "the header, calls flash_flush(), then writes the CRC and calls it a second time. On this revision of the chip "
        "the second call hits the busy option bytes. So never call flash_flush() twice without a reset in between, the "
        "controller bricks. I merged both writes in update.c, and board 2 survived 30 updates.",
        "Store the rider's settings in flash and, after that, the odometer.",
        by="assistant",
        line="never call flash_flush() twice without a reset in between, the controller bricks",
    ),
    Task(
        "The assist comes late when I start uphill. The torque filter has a window of 40 samples, I could lower it.",
        "12 samples. Jürgen measured it on the bench, with more than that riders feel the lag and with less it rattles",
        "Add a mode for cargo bikes, where the support starts more smoothly.",
        asker="assistant",
    ),
    Task(
        "For the messages between firmware and app: protobuf with nanopb, or CBOR. Protobuf needs 11 kB of flash.",
        "nah, drop protobuf, CBOR it is",
        "Send the battery's cell voltages to the phone.",
        asker="assistant",
    ),
    Task(
        "It crashed after 6 hours on the road, heap exhausted. I hate this.",
        "no malloc after init, period. everything that's needed later gets a static pool",
        "Keep the last 200 points of the ride in memory so that the app can fetch them.",
    ),
    Task(
        "can I refactor the current controller, it's ugly",
        "the certification people froze everything under motor/ until TÜV is through with it in October, so that has "
        "to wait, sorry",
        "The motor stutters at 6 km/h in walk mode. Find the bug and repair it.",
    ),
    Task(
        "On the iPhone the log transfer is five times slower than on Android.",
        "I traced both. Android agrees to an MTU of 512. iOS gives us 185 bytes at most no matter what we negotiate, "
        "so a notification of more than 182 bytes is cut. The log transfer used 240 and retried each chunk. It uses "
        "182 now on both, since the difference on Android was only 8 %.",
        "Transfer the list of error codes over Bluetooth.",
        by="assistant",
        line="iOS gives us 185 bytes at most no matter what we negotiate",
    ),
    Task(
        "I put a printf into the control loop and the motor stopped. Coincidence?",
        "It's not. A line takes 4 ms on the UART at 115200 baud and the loop has 1 ms. Anything at runtime goes into "
        "the ring log (rlog_put), which is drained by the idle task.",
        "I need to see why the brake sensor triggers by itself. Add some output.",
        by="assistant",
        line="Anything at runtime goes into the ring log",
    ),
    Task(
        "App says 43 %, display says 39 %. Which is right?",
        "Both compute it on their own, from the same voltage but with different curves. I'd suggest that the firmware "
        "computes the percentage and the app only displays it, otherwise they drift apart again. The app's curve would "
        "be deleted. OK?",
        "Show the remaining range in kilometers on the phone.",
        by="assistant",
        line="the firmware computes the percentage and the app only displays it",
        then="agreed",
    ),
    Task(
        "What happens to a ride when there's no network in the valley?",
        "the app has to work in a tunnel. every write goes to the local database first and gets synced later",
        "Let riders rate a tour with one to five stars.",
    ),
    Task(
        "Marketing wants a login on the first screen. Thoughts?",
        "I had that fight already :) product says no account for anything that has to do with riding, login is only "
        "for theft tracking",
        "Add a screen with the weekly statistics.",
    ),
    Task(
        "How do we sign the release? The CI job fails since it has no key.",
        "and it won't get one. release builds are signed on the box in the office, keys never go into CI",
        "Automate publishing: a tag should produce the update file for the bikes.",
    ),
    Task(
        "light doesn't work on the new bike of Sarah",
        "That's a v2 board. The light pin moved from PA7 to PB4 there. Whoever touches pins should check board_rev "
        "first, both versions will be around for years.",
        "Let the tail light flash when braking hard.",
        by="assistant",
        line="Whoever touches pins should check board_rev",
    ),
    Task(
        "A customer asks for 28 km/h and says another brand's app can do it.",
        "not from us. the 25 km/h cutoff stays in the firmware and the app must not be able to change it, we'd lose "
        "the type approval",
        "Make the riding profiles editable in the app: power, response, top speed.",
    ),
    Task(
        "The German strings I fixed last week are back to the old ones. Who did that?",
        "Lokalise did, it overwrites values-de and friends at each release. We only edit values/ and the translators "
        "do the rest over there",
        "Add the texts of the new settings screen in English and German.",
    ),
    Task(
        "Which map? Google wants money from 28,000 loads on.",
        "went with MapLibre and our own tiles. Mapbox's terms forbid caching offline and Google is too expensive",
        "Show where the bike was parked last.",
    ),
    Task(
        "So, the workshop with the dealers yesterday. Anything we need to do?",
        "a lot of talk about prices, nothing for us. two things though. the dealers flash bikes with a laptop from "
        "2015, windows 7, so whatever tool we hand them has to run there without an installer. and someone asked for "
        "a printed manual, I told them that's not us. Otherwise nice evening, Thomas sang.",
        "Write the diagnostics program for the shops: read errors, update the bike.",
        line="windows 7, so whatever tool we hand them has to run there without an installer",
    ),
)

_EBIKE_TOPICS = (
    ("the ride list", "it is empty after an update", "the query handles the new column"),
    ("the pairing screen", "it shows the bike twice", "the address is compared"),
    ("the speedometer", "it lags by two seconds", "the notification interval is shorter"),
    ("the walk mode button", "it bounces", "it is debounced for 20 ms"),
    ("the tour map", "the line is drawn through the sea", "points without a fix are skipped"),
    ("the splash screen", "it is white in dark mode", "the theme is set"),
    ("the odometer", "it jumps back by 1 km", "the counter is 32 bits wide"),
    ("the charge notification", "it arrives at 3 in the morning", "the alarm is inexact"),
    ("the linker script", "the stack overlaps the pool", "the section is moved"),
    ("the dealer search", "the phone number is cut", "the label wraps"),
    ("the temperature sensor", "it reads -40", "the pull-up is enabled"),
    ("the elevation graph", "the axis starts at zero", "the axis starts at the minimum"),
    ("the widget", "it shows yesterday's distance", "it is refreshed at midnight"),
    ("the CAN filter", "it lets other brands through", "the mask is set to 0x7F0"),
    ("the review prompt", "it is shown on the first start", "it waits for ten rides"),
)

_EBIKE_TALKS = (
    (
        "what is board_id() returning on the dev kit?",
        "0xFF, because the fuses are empty. The table in board.c maps it to 'unknown' and takes the defaults.",
        "ok",
    ),
    (
        "hardfault handler prints 0x0800a1b4, where is that?",
        "addr2line says assist.c:212, in the division by `cadence`. The cadence is 0 when the crank doesn't move, and "
        "the core is configured to trap divisions by zero.",
        "uff. add a guard",
        "Added `if (cadence == 0) return 0;` at the top of ratio(). The unit test for a standing crank passes.",
    ),
    (
        "how big is the image right now",
        "118 kB of 128 kB. The largest parts are the BLE stack with 61 kB, the tables of the motor with 14 kB and libc "
        "with 9 kB.",
        "tight",
    ),
    (
        "could we use Zephyr? just asking",
        "The chip is supported. You would get drivers and a real scheduler. Your code relies on the vendor's HAL in "
        "about 40 places, and the image would grow by some 20 kB.",
        "interesting. not this year",
    ),
    (
        "Gradle: Could not resolve com.android.tools.build:gradle:8.6.0",
        "The proxy of your company replaces the certificate. Adding it to the JDK's trust store helped last time, with "
        "keytool -importcert.",
        "yep",
    ),
    (
        "refactor RideRepository, it has 900 lines",
        "I moved the mapping to RideMapper and the export to RideExporter. RideRepository now has 340 lines and only "
        "talks to the DAO. I also removed two methods that nobody called. 61 tests pass.",
        "sweet",
    ),
    (
        "explain field oriented control to me like I'm an intern",
        "You turn the three phase currents into two: one that makes torque and one that makes flux. These are nearly "
        "constant, so two simple PI controllers can hold them. Then you turn the result back into three voltages.",
        "got it",
    ),
    (
        "did the field test in Freiburg bring anything?",
        "I only see the uploaded logs: 14 rides, 312 km, two error codes E21. Both E21 came after a battery change.",
        "I'll ask Sarah for her notes",
    ),
    (
        "Compose or XML for the new screen, what's more common here?",
        "22 screens use Compose and 9 use XML. The newest XML screen is from 2022.",
        "ah good",
    ),
    (
        "maybe we should show ads for tours? marketing keeps asking, no idea",
        "It would need a consent dialog and an SDK of about 2 MB. Other bike apps show partners' tours without "
        "tracking.",
        "I'll let them fight",
    ),
    (
        "why does `make test` take so long",
        "It builds the host version of the BLE stack each time, because the target has no stamp file. That is 70 of "
        "the 95 seconds.",
        "can you fix that",
        "Done, the target now depends on the stamp. The second run takes 24 seconds.",
    ),
    (
        "is there a simulator for the torque sensor?",
        "tools/torque_sim.py plays a CSV file over the serial port. It was last changed in 2024 and wants Python 3.8.",
    ),
    (
        "Crash in production: IllegalStateException: Fragment not attached to a context, RideFragment.kt:88",
        "The callback of the location service comes after the user left the screen. I used viewLifecycleOwner's scope "
        "so that it is canceled. Reproduced with 'don't keep activities' and it's gone.",
        "release it with the next one",
    ),
    (
        "what would it take to support Wear OS",
        "A module of its own with three screens, the data layer API for messages, and a watch to test on. I'd guess "
        "three weeks. Open question: does the watch talk to the bike or to the phone?",
        "good question, I'll think about it",
    ),
    (
        "summarize what we did this week",
        "- Fixed the double pairing\n- The odometer no longer jumps\n- RideRepository is split\n- Started the graph "
        "for elevation\n- 2 of 3 crashes from the console are fixed",
        "thanks, sending that to Tom",
    ),
    (
        "openocd: Error: init mode failed (unable to connect to the target)",
        "The probe sees no voltage on VTREF. Is the board powered? If it sleeps, hold reset while you connect.",
        "battery was empty, lol",
    ),
    (
        "Is anybody using the old settings screen?",
        "Analytics show 212 of 18,000 users in the last month, all on version 3.1 or older.",
        "fine, leave it for now",
    ),
    (
        "rename `spd` to `speed_mm_s` in assist.c",
        "Renamed, 47 places. The test vectors use the same unit, so they stay. The image has the same size.",
        "great",
    ),
    (
        "I think the icons look dated, what do you think",
        "They mix two styles: outlined ones and filled ones. Material Symbols would cover 31 of 34.",
        "mhm, maybe for 4.0",
    ),
    (
        "Write a unit test for the CRC.",
        "I added test_crc.c with the check value of '123456789', an empty buffer and a single byte. All pass.",
        "cool",
    ),
    (
        "what does E21 mean",
        "Communication error between battery and controller: no frame for 500 ms. It's set in bms.c and cleared by the "
        "next frame.",
        "thx",
    ),
    (
        "how much RAM do we have left",
        "6.2 kB of 32 kB by the map file, without what the stacks may use at most. The highest mark of the main stack "
        "was 3.1 kB in the last log.",
        "alright",
    ),
    (
        "We should talk about the cloud costs some day, 400 a month for telemetry is a lot.",
        "Most of it is ingestion: 1.1 million messages a day. Batching on the phone would reduce the number, a cheaper "
        "tier would reduce the price.",
        "let me bring it up with Tom first",
    ),
    (
        "git bisect says it broke with 77ab01, but that only changes a comment?",
        "The commit also changes the submodule `hal` from 1.4 to 1.5, which `git show` hides unless you pass "
        "--submodule.",
        "oh wow",
    ),
    (
        "Play console: 'Your app targets API level 33'",
        "The warning means new versions must target 34 by the end of August. In the code that concerns the foreground "
        "service types and the exact alarms.",
        "ok next sprint I guess",
    ),
    (
        "run the tests on the bench",
        "38 of 40 passed. 'assist at 90 rpm' was 3 % above the tolerance, and 'regen' was skipped, since the supply "
        "can't sink current.",
        "as expected",
    ),
)

_EBIKE_PLAIN = tuple(
    """Add a splash animation to the app.
Write a README for the tools folder.
What does the volatile keyword do here?
Upgrade Kotlin to 2.1.
Add a Makefile target that runs clang-format.
Show a badge on the news tab.
Explain how coroutines differ from threads.
Add a privacy policy link to the about screen.
Replace the hamburger menu by a bottom bar.
Write a Doxygen comment for ring_init.
Add haptic feedback to the buttons.
Set up ktlint.
Fix the warning about unused parameters in main.c.
Let users pick an app icon.
Make the ride cards rounder.
Add a share button to the photo screen.
Why does Android Studio index for ten minutes?
Generate the call graph of main.c.
Convert the gradle files to Kotlin.
Add a landscape layout for tablets.
Write a script that prints the sections of the image.
Cache the gradle dependencies on GitHub Actions.
Add an onboarding pager.
Use vector drawables for the badges.
Test the share sheet.
Add shimmer while the news are loading.
What is the difference between const and constexpr?
Sort the dealers by distance.
Add a filter for gravel tours.
Write the release notes for the store.
Show the app version under licenses.
Turn on R8 full mode.
Add a "what's new" dialog.
Fix the ripple color in dark mode.
Explain this macro: #define ARRAY_LEN(a) (sizeof(a)/sizeof((a)[0]))
Animate the heart when a tour is liked.
Add a search field to the FAQ.
Make the onboarding skippable.
Rename the package com.velo.ui.misc.
Move the screenshots to their own folder.
Write a UI test for the FAQ.
Add a contact form for support.
Add a tip of the day.
Use the system font.
Fix the padding of the toolbar.
Add a GitHub issue template.
Enable compiler caching for the host tests.
Add a lint baseline.
Show a friendly picture when the inbox is empty.
Let people mute news.
Draw the class diagram of the news module.
Use the Compose BOM.
Add a link to the shop.
Preview the cards in different font sizes.
Add content descriptions to the images in the shop.
Why is the APK 8 MB bigger than last month?
Sort the enum values alphabetically.
Add a .editorconfig.
Fix the clipped text on small phones.
Write a git hook that checks commit messages.
Add a long press menu to the photos.
Add a photo contest banner.
Load images with Coil.
Explain how the linker resolves weak symbols.
Split the app module by feature.
Make the snackbar disappear after four seconds.
Add pull to refresh to the news.
Use a carousel for the photos.
Add a Compose preview for the top bar.
Write a Python script that renames the screenshots.
Add deep links to the news.
Convert the logo to SVG.
Remove Jetifier.
Set the status bar color.
Add an intro video.
Add a birthday greeting.
Show the author of a news item.
Add a scrollbar to the licenses.
Write an ADR template.
Fix the typo "Einstelungen".
Count the lines of code per module.
Let the FAQ be printed.
Add Detekt to the build.
Use adaptive icons.
Replace LiveData by StateFlow in the news module.
Make the FAQ collapsible.
Add emoji reactions to photos.
Find dead code in the news module.
Add rounded corners to dialogs.
Explain what -fno-common does.
Add a preview of the photo before uploading.
Write a short guide for new colleagues.
Add a donate button.
Show a countdown to the summer event.
Use the new logo in the README.
Check the spelling of the FAQ.
Add a QR code to the invitation.
Make the event list filterable.
Give the photo screen a grid.
Add a placeholder for missing avatars.""".splitlines()
)

EBIKE = Project(_EBIKE_TASKS, _EBIKE_TOPICS, _EBIKE_PLAIN, "assistant", talks=_EBIKE_TALKS)
