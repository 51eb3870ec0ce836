"""What `bench assistants` asks of two further projects, whose decisions are told as people tell them: some by the
assistant, some in the middle of a longer turn. Each was written before anything was run on it."""

from __future__ import annotations

from bench.assistants_tasks import SHOP, Project, Task

_CLINIC_TASKS = (
    Task(
        "Two receptionists booked the same slot this morning and both got a confirmation. Find out why.",
        "The check and the insert were two statements. From now on a slot is taken by the unique constraint on "
        "(practitioner_id, starts_at) alone, and the service maps the violation to SlotTaken. No checking beforehand.",
        "Implement rescheduling: a patient picks another time for an existing appointment.",
        "assistant",
    ),
    Task(
        "Can we just delete a patient when they ask for it?",
        "No. Legal says medical records have to stay for ten years, so we only pseudonymize: names and contact data "
        "go, the chart stays under the pseudonym.",
        "Add a button to the admin area that removes somebody who has left the practice.",
    ),
    Task(
        "The night job sent 900 reminder texts at 4 am after the clocks went back.",
        "ok so let's agree on this: text messages only go out between 8 and 20 in the practice's own time zone, "
        "everything else is queued for the next morning",
        "Notify people on the waiting list as soon as somebody cancels.",
    ),
    Task(
        "Why is the lab import so slow? It takes 40 minutes.",
        "Each result opened its own connection. I moved the import to the worker queue `bulk`, which has one process. "
        "Anything that touches more than a thousand rows should run there and never in the web workers.",
        "Let administrators recompute the risk score of all patients.",
        "assistant",
    ),
    Task(
        "I want the frontend people to stop arguing about state management.",
        "I talked to Petra and Jonas: TanStack Query for anything that comes from the server, plain useState for the "
        "rest. Redux is to disappear, please don't add new slices.",
        "Build the screen that lists open prescriptions and lets a doctor approve them.",
    ),
    Task(
        "The pen test report came in. What do we have to change about the logs?",
        "Finding 7: patient names turned up in the request log. We log internal ids only, never names, birth dates or "
        "insurance numbers, and log.patient() is the helper for it.",
        "It is hard to see why check-in fails for some people. Put some debug output into the check-in handler.",
    ),
    Task(
        "How should errors of the insurance gateway reach the user?",
        "Show the generic text from messages/errors.yml and keep the gateway's own message for support. Their texts "
        "once contained another insured person's data.",
        "When the coverage check is refused, tell the receptionist what went wrong.",
        "assistant",
    ),
    Task(
        "Our design system has three modal components by now, which one?",
        "Use <Sheet> from ui/kit. The other two fail the accessibility audit (focus is not trapped) and will be "
        "removed in spring.",
        "Ask for confirmation before a series of appointments is cancelled.",
    ),
    Task(
        "Staging was down again because somebody ran the migration by hand.",
        "Schema changes go out in two releases: first add and backfill, then switch and drop one release later. The "
        "deploy runs old and new code side by side for half an hour.",
        "Rename the column `doc` of the visits table to `practitioner`.",
    ),
    Task(
        "Which PDF library? WeasyPrint hangs on the long letters.",
        "I compared both on the twenty longest referral letters: typst renders them in 0.4 s and WeasyPrint in 11. "
        "Let's move all printed documents to typst templates under templates/print.",
        "Doctors want to print a vaccination certificate.",
        "assistant",
    ),
    Task(
        "The auditors ask who looked at which chart.",
        "Every read of a chart has to pass ChartGate.open(reason=...), which writes the audit row. Direct queries on "
        "chart_entries are a no-go, even in reports.",
        "Show the last five diagnoses in the sidebar of the appointment view.",
    ),
    Task(
        "The mobile team complains that we break them every other week.",
        "Response fields of /api/v2 may be added but not renamed or removed; anything else needs v3 and a note in "
        "CHANGES-API.md.",
        "The JSON of a patient has `tel`, make it `phone_number` like everywhere else.",
    ),
    Task(
        "How do we handle money for private patients? I saw a float in the invoice code.",
        "Fees are Decimal with two places and rounded half up per line, as the fee schedule wants; the sum is never "
        "rounded again.",
        "Add the 15 % surcharge for weekend visits to private invoices.",
    ),
    Task(
        "CI takes 25 minutes, what can we drop?",
        "The browser tests were 18 of them. They only run nightly now; pull requests get the component tests with "
        "Testing Library. So new UI behavior should be covered there.",
        "Test that the booking form refuses dates in the past.",
        "assistant",
    ),
    Task(
        "We got a warning from the hospital about their FHIR endpoint.",
        "They throttle at 20 requests a minute for the whole practice, and block us for an hour beyond that. "
        "So every call goes through fhir.client, which holds the token bucket.",
        "Fetch the discharge letters of today's patients from the hospital.",
    ),
    Task(
        "Should the practice's opening hours be configuration or data?",
        "Data, since practices change them in summer. And whatever practices may change themselves lives in the "
        "practice_settings table with a history, not in environment variables.",
        "Make the length of a default appointment adjustable.",
    ),
)

_CLINIC_TOPICS = (
    ("the waiting room screen", "it flickers when a name is long", "the row has a fixed height now"),
    ("the fax gateway", "pages arrive upside down", "the TIFF is rotated before sending"),
    ("the calendar print view", "Sundays are cut off", "the grid has seven columns"),
    ("the insurance card reader", "it needs two attempts", "the port is flushed after opening"),
    ("the patient search", "double names are not found", "hyphens are treated as blanks"),
    ("the e-mail footer", "it shows last year", "the year is computed"),
    ("the vaccine stock list", "expired lots are still shown", "lots are filtered by date"),
    ("the recall letters", "the address window is off by 4 mm", "the template follows DIN 5008"),
    ("the chart viewer", "images load twice", "the cache key had a timestamp"),
    ("the phone integration", "the popup steals the focus", "it opens in the background"),
    ("the backup monitor", "it is green without a backup", "the age of the last file is checked"),
    ("the diagnosis picker", "ICD codes with a dot are missed", "codes are normalized"),
    ("the shift planner", "it counts night shifts twice", "shifts are split at midnight"),
    ("the intake form", "the back button loses the answers", "answers are kept in the session"),
    ("the allergy banner", "it hides behind the menu", "the stacking order is fixed"),
    ("the DICOM viewer", "the contrast slider is inverted", "the window level is negated"),
    ("the statistics page", "percentages add up to 101", "the largest remainder is used"),
    ("the sick note", "it is printed in A4", "the tray is set to A5"),
    ("the room planner", "drag and drop fails on tablets", "pointer events are used"),
    ("the login page", "the QR code is too small", "it is 240 px wide"),
    ("the referral form", "it accepts a missing date", "the field is required"),
    ("the ECG import", "the file name contains a colon", "names are sanitized"),
    ("the news ticker", "it shows HTML entities", "entities are decoded"),
    ("the currency field", "a comma is refused", "both separators are accepted"),
    ("the growth chart", "the percentile lines are missing", "the data file is bundled"),
    ("the seat map", "it is empty after midnight", "the query uses the date range"),
    ("the webcam preview", "it stays on after the call", "the track is stopped"),
    ("the translation file", "Turkish is missing", "tr.json was added"),
    ("the test data generator", "all patients are called Anna", "the seed varies"),
    ("the video call", "the echo is terrible", "echo cancellation is on"),
    ("the barcode scanner", "it adds a newline", "input is trimmed"),
    ("the dark mode", "the calendar stays white", "the theme token is used"),
    ("the signature pad", "lines are jagged", "points are smoothed"),
    ("the holiday list", "Epiphany is missing in Saxony-Anhalt", "the list comes by state"),
    ("the export of the address book", "umlauts break", "UTF-8 with BOM is written"),
    ("the tooltip of the lab value", "the unit is missing", "the unit is appended"),
    ("the vaccination import", "the batch number is cut", "the column is 40 wide"),
    ("the kiosk terminal", "it sleeps after ten minutes", "the screen saver is off"),
    ("the doctor's signature", "it is pixelated", "an SVG is used"),
    ("the license dialog", "it appears on every start", "the answer is stored"),
    ("the rating widget", "half stars are impossible", "steps of 0.5 are allowed"),
    ("the drug database", "the update fails on Mondays", "the lock file is removed"),
)

_CLINIC_PLAIN = tuple(
    """Add a favicon to the patient portal.
Write a README for the kiosk app.
Set up a pre-commit hook that runs black.
Upgrade Django to 5.2.
Add a skeleton loader to the dashboard.
Create an index page for the component library.
Let users change the font size.
Add a link to the imprint in the footer.
Write a management command that prints the version.
Add breadcrumbs to the settings pages.
Rename the class Helper to something better.
Generate a sequence diagram of the login.
Switch the icons to Lucide.
Add a copy button to code blocks in the wiki.
Move the SCSS to CSS modules.
Add an animation when the menu opens.
Translate the error pages to Polish.
Put the staging credentials into the vault.
Write a smoke test for the container image.
Add German hyphenation to the landing page.
Replace axios by fetch.
Set the session cookie to SameSite=Strict.
Make the table header sticky.
Add a dependabot configuration.
Write a script that rotates the nginx logs.
Show the build number on the about page.
Add unread counts to the inbox icon.
Create a Storybook story for the button.
Add support for passkeys.
Compress the uploaded avatars.
Write the docs for the webhook signature.
Use a virtual list for the drug search.
Make the sidebar collapsible.
Add a feedback form.
Write a Helm chart for the websocket server.
Remove the unused translations.
Add a map with directions to the practice.
Bump the Node version in the Dockerfile.
Add autocomplete to the city field.
Let the video call run in picture-in-picture.
Add the new partner's logo to the start page.
Write an onboarding checklist for new developers.
Sort the staff list by last name.
Add a language switch to the kiosk.
Let people upload a profile picture.
Add a print stylesheet for the wiki.
Cache the holiday list in memory.
Create a status page.
Add a rate limit to the contact form.
Make the calendar start on Sunday for US practices.
What does this stack trace mean?
Why is this variable undefined?
Refactor this into two functions.
Explain this regular expression.
Format this file.
Revert the last change.
Now do the same for the other file.
Which line throws?
Is there a memory leak in this code?
Can this be simplified?
Add docstrings.
Make this work with Python 3.9.
Write a type guard for this union.
Explain how closures work.
Write a generator that yields chunks of a list.
Squash the last three commits.
Cherry-pick the fix into the release branch.
What is the difference between a process and a thread?
Suggest a better name for this variable.
Turn this callback into a promise.
Delete the commented-out code.
List the ten largest files in this directory.
How do I read a file line by line in Rust?
Use an enum instead of strings.
What is the default port of Redis?
Log the duration of this call.
Does this loop terminate?
Inject the dependency instead of importing it.
What did I break with the last commit?
Inline this variable.
Rewrite this loop as a comprehension.
Create a branch for this.
Who wrote this line?
How do I skip a test in pytest?
Infer the schema from this JSON.
Close the connection when done.
Handle the timeout.
Nothing is printed, why?
Sort the imports.
Plot the second column.
This name is too long.
Kill whatever listens on port 3000.
What is a bloom filter?
Fix the grammar of this comment.
Add an edge case for the empty string.
Convert this timestamp to ISO format.
Clean up the temporary directory.
Which approach scales better?
Validate the arguments.
Great, continue with the next step please.""".splitlines()
)

_TOWER_TASKS = (
    Task(
        "Players in Brazil lag a lot. Where is our time spent?",
        "Most of it is the snapshot size: 14 kB per tick. I got it down to 3 kB with delta encoding. Keep "
        "snapshots below 4 kB, the mobile networks there drop bigger UDP packets.",
        "Send the positions of all projectiles to the clients as well.",
        "assistant",
    ),
    Task(
        "The economy designer wants to tweak prices without us.",
        "fine, then balance numbers belong in the sheets that she exports to data/balance/*.csv. I don't want to "
        "see another magic number in C#",
        "Give the archer tower a splash upgrade that costs 250 gold.",
    ),
    Task(
        "We had a report from a child protection organization about the chat.",
        "We talked to the lawyer. Under 16 there is no free text at all, only the canned phrases, and the age "
        "flag comes from the account service.",
        "Let guild members write each other messages.",
    ),
    Task(
        "Save games got corrupted when the phone died.",
        "Write to a temporary file and rename, plus a version number in the header. SaveFile does both; "
        "File.WriteAllText is banned for player data.",
        "Remember the last selected deck between sessions.",
        "assistant",
    ),
    Task(
        "Why did we get rejected by Apple?",
        "Because loot boxes have to show the odds before the purchase. Marketing agreed that each chest links to "
        "/odds.",
        "Sell a Halloween chest in the shop.",
    ),
    Task(
        "The profiler shows GC spikes every two seconds.",
        "It was LINQ in Update(). In code that runs every frame we allocate nothing: no LINQ, no closures, no "
        "string concatenation, use the pools.",
        "Highlight the tower that the finger is hovering over.",
    ),
    Task(
        "How do we name the branches? It's a mess.",
        "I'd say feat/TD-123-short-name, and squash when merging. TD numbers are from Linear, without one the bot "
        "closes the PR.",
        "Start a branch for the new tutorial.",
    ),
    Task(
        "Cheaters have level 99 accounts with 10 minutes of playtime.",
        "So the client is not trusted with rewards any more. It sends the inputs of the match and the server "
        "replays them; XP and gold are computed there.",
        "Double the experience on weekends.",
        "assistant",
    ),
    Task(
        "Localization costs 0.12 per word and we changed the same text three times.",
        "Texts are frozen on Wednesday before a release, and go through Crowdin under a key in strings/en.json.",
        "Explain the new poison effect on its card.",
    ),
    Task(
        "Crash on old Samsungs: out of memory in the atlas.",
        "Textures max out at 2048 and ASTC 6x6, the import preset 'mobile' does that. Devices with 2 GB are still "
        "a third of our players.",
        "Import the background art for the desert map.",
    ),
    Task(
        "Should we use DOTween or write our own?",
        "DOTween everywhere in the UI. Animator components cost us 3 ms on the shop screen alone.",
        "Make the reward popup bounce in.",
    ),
    Task(
        "Analytics says 40 % drop out at level 3, can we test variants?",
        "yes via the remote config, but an experiment runs for 14 days and only on new players, otherwise the "
        "data people can't use it",
        "Try whether a slower second wave keeps more people.",
    ),
    Task(
        "The server bill doubled in April.",
        "Match servers run on spot instances since then; they get two minutes' notice. A match therefore has to "
        "be resumable from Redis at any tick.",
        "Add a 30 minute endless mode.",
        "assistant",
    ),
    Task(
        "QA complains that they can't reach late levels.",
        "There's the debug menu behind #if DEV_TOOLS. Each new feature needs an entry there so that QA can jump to it.",
        "Implement the boss at the end of world 4.",
    ),
)

_TOWER_TOPICS = (
    ("the coin counter", "it shows minus one", "it is clamped"),
    ("the loading screen", "the tip overlaps the bar", "the anchor is at the bottom"),
    ("the leaderboard", "ranks start at zero", "one is added"),
    ("the vibration", "it never stops", "the handle is released"),
    ("the camera shake", "it drifts", "the offset is reset"),
    ("the music", "it restarts in menus", "the player survives scenes"),
    ("the frost tower", "it slows allies", "the layer mask is set"),
    ("the friend list", "it is sorted by id", "it is sorted by name"),
    ("the news popup", "the close button is off screen", "the safe area is used"),
    ("the replay button", "it needs two taps", "the raycast target is off"),
    ("the minimap", "it is mirrored", "the x axis is flipped"),
    ("the daily quest", "it resets at noon", "midnight UTC is used"),
    ("the particle trail", "it is pink on iOS", "the shader is included"),
    ("the pause menu", "time goes on", "the time scale is zero"),
    ("the credits", "a name is missing", "it was added"),
    ("the health bar", "it lags one frame", "LateUpdate is used"),
    ("the splash logo", "it is stretched", "the aspect is kept"),
    ("the push token", "it is empty on first start", "it is fetched later"),
    ("the gate animation", "it plays backwards", "the curve is inverted"),
    ("the sound slider", "zero is not silent", "decibels are converted"),
    ("the level select", "locks are invisible", "the sprite is assigned"),
    ("the emoji picker", "it is blank", "the font has the glyphs"),
    ("the flag of Nepal", "it is cut", "the mask is removed"),
    ("the tooltip", "it hides under the finger", "it is moved up"),
    ("the tutorial arrow", "it points to nothing", "the target is found by tag"),
    ("the gem offer", "the timer is negative", "it is hidden when over"),
    ("the keyboard", "it covers the field", "the panel scrolls"),
    ("the matchmaking text", "dots do not move", "a coroutine is started"),
    ("the deck screen", "cards flicker", "the canvas is split"),
    ("the cave map", "enemies walk through walls", "the mesh was baked"),
    ("the login with Google", "it hangs on cancel", "the error is handled"),
    ("the battle log", "lines are doubled", "the event is unsubscribed"),
    ("the language menu", "it forgets Spanish", "the value is saved"),
    ("the drag ghost", "it stays", "it is destroyed"),
    ("the wave counter", "it says 0 of 10", "the index is shown plus one"),
    ("the skybox", "a seam is visible", "the wrap mode is clamp"),
    ("the archer", "he shoots backwards", "the quaternion is normalized"),
    ("the shop tab", "badges stay red", "the flag is cleared"),
    ("the invite link", "it opens the browser", "the domain is associated"),
    ("the shield icon", "it is blurry", "mip maps are off"),
)

_TOWER_PLAIN = tuple(
    """Add a colorblind palette to the options.
Update Unity to the next LTS.
Write the README for the level editor.
Add a mute button to the main menu.
Create an issue template for artists.
Write a shader for water.
Move the editor scripts to their own assembly.
Set up the nightly build on TeamCity.
Add controller support to the menus.
Write unit tests for the pathfinding heap.
Make the camera zoom with two fingers.
Add a screenshot mode that hides the UI.
Replace the app icon.
Sort the inventory by rarity.
Add an FPS counter.
Bump the Android target SDK.
Write a tool that finds unused sprites.
Add a spectator camera.
Generate an API client from the server's OpenAPI file.
Let players rename their castle.
Add rain to the forest map.
Move the avatars to the CDN.
Create a debug view of the navigation mesh.
Add haptics to button presses.
Rewrite the enemy spawner with a priority queue.
Add a confirmation before an account is deleted.
Write a script that converts the old levels.
Put the privacy link on the login screen.
Remove the Facebook SDK.
Add a progress bar to the download of assets.""".splitlines()
)

CLINIC = Project(_CLINIC_TASKS, _CLINIC_TOPICS, _CLINIC_PLAIN, "assistant")
#: Its plain prompts about any code are those of the others.
TOWER = Project(_TOWER_TASKS, _TOWER_TOPICS, (*_TOWER_PLAIN, *_CLINIC_PLAIN[-50:], *SHOP.plain[-20:]), "assistant")
