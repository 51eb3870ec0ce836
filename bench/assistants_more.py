"""What `bench assistants` asks beside `assistants_tasks`: another project, written after the first version of
the rule. Half of its plain prompts are about the project's own matters, of which memory holds nothing."""

from __future__ import annotations

from bench.assistants_tasks import Project, Task

_TASKS = (
    Task(
        "Two valves opened at once and the pressure dropped. What is the rule?",
        "Only one valve may be open at any time; the scheduler takes the water lock before it opens one.",
        "Write the routine that waters bed three and bed four in the morning.",
    ),
    Task(
        "The humidity readings in the app are off by a factor of ten for some customers.",
        "Sensor values are sent as integers in tenths, and only the app divides; the firmware has no floating point.",
        "Read the new soil sensor and send its value to the app.",
    ),
    Task(
        "The flash of three controllers wore out within a year. How do we store settings?",
        "Settings are written to flash at most once an hour, through the journal in RAM.",
        "Save the user's threshold when the slider in the app moves.",
    ),
    Task(
        "Half of the fleet did not come back after the last update.",
        "Firmware updates go to the second partition, and the old one stays until the device has reported for a day.",
        "Ship firmware 2.8 to all devices.",
    ),
    Task(
        "The broker was flooded when the power came back in the whole district.",
        "After a restart each device waits a random time of up to ninety seconds before it connects to the broker.",
        "Connect to the broker as soon as the Wi-Fi is up.",
    ),
    Task(
        "Which clock do the schedules follow? In October everything was watered twice.",
        "Schedules are computed from monotonic ticks and the sunrise table, never from local time.",
        "Add a schedule that waters every evening at eight.",
    ),
    Task(
        "The app was rejected by the store again because of the Bluetooth permission.",
        "We ask for the Bluetooth permission only on the pairing screen, after the text that legal approved.",
        "Scan for nearby controllers with Bluetooth when the app starts.",
    ),
    Task(
        "Who may change the protocol between app and device? Old apps crashed.",
        "The protocol buffers are append-only: field numbers are never reused, and a removed field is reserved.",
        "Remove the field for the battery voltage from the protocol message.",
    ),
    Task(
        "The photos of plants cost us 900 euros of storage in May.",
        "Plant photos are deleted from the bucket after thirty days unless the customer starred them.",
        "Store the photo that the camera takes of the plant each noon.",
    ),
    Task(
        "Support cannot read the device logs, because everyone formats them in another way.",
        "Log lines of the device have a numeric event code from events.csv, and no free text.",
        "Log a warning on the device when the pump runs dry.",
    ),
    Task(
        "The unit tests of the firmware pass on the laptop and fail on the board.",
        "Firmware tests run under the simulator with the board's word size; nothing is merged on host tests alone.",
        "Test the new moisture filter in the firmware.",
    ),
    Task(
        "The dashboard showed other people's greenhouses for an hour.",
        "Dashboard queries go through tenant_scope(); raw queries on the readings table are refused in review.",
        "Show the readings of the last week as a chart on the dashboard.",
    ),
    Task(
        "The pump burned out because the controller crashed while it ran.",
        "The pump is driven by a hardware watchdog: it stops by itself unless it is kicked every two seconds.",
        "Run the pump for ten minutes when the tank is full.",
    ),
    Task(
        "Customers in Canada complain about the units again.",
        "Units are chosen by the customer's profile and not by the phone's language.",
        "Display the temperature of the greenhouse in the app.",
    ),
)

_TOPICS = (
    ("the onboarding video", "it has no sound on Android", "the audio track was encoded again"),
    ("the tank gauge", "it shows 101 percent", "the calibration is clamped"),
    ("the seed catalog", "Latin names are in lower case", "names are shown as entered"),
    ("the map of beds", "beds overlap when rotated", "the hull is computed before drawing"),
    ("the plant quiz", "the same question comes twice", "answered questions leave the deck"),
    ("the wall bracket drawing", "the screw holes are 4 mm", "the hole is 4.2 mm now"),
    ("the newsletter archive", "images are missing", "they are embedded in the page"),
    ("the compost calculator", "it divides by zero", "empty heaps are passed over"),
    ("the pairing code", "zero and O look alike", "the alphabet has no O"),
    ("the fertilizer shop link", "it opens the wrong country", "the store follows the account"),
    ("the fan curve", "the fan howls at night", "the curve has hysteresis"),
    ("the LED strip", "it flickers at ten percent", "the frequency was raised"),
    ("the harvest diary", "entries sort by text", "they sort by day"),
    ("the frost alert", "it comes at noon", "the forecast of the night is read"),
    ("the weather mock", "it never rains", "one day in five has rain"),
    ("the QR label printer", "labels are cut off", "the margin is two millimetres"),
    ("the door contact", "it bounces", "it is debounced for 50 ms"),
    ("the lint job", "it takes nine minutes", "it runs on changed files only"),
    ("the release notes page", "the links point to staging", "the base address is configured"),
    ("the bee counter", "flies are counted", "the model was trained on wings"),
    ("the export to spreadsheets", "the decimal comma is lost", "the locale is passed on"),
    ("the watering animation", "it stutters on old phones", "it is drawn once and moved"),
    ("the voice assistant skill", "it does not know basil", "the slot has all herbs"),
    ("the invoice mail", "the subject is empty", "the template names the order"),
    ("the price tag", "it breaks into two lines", "the font shrinks"),
    ("the solar charger", "it reports negative current", "the shunt is read with its sign"),
    ("the landing page", "it scores 40 for speed", "images are lazy"),
    ("the partner portal", "passwords expire on Sundays", "they expire on workdays"),
    ("the heater relay", "it clicks all the time", "the band is two degrees wide"),
    ("the gallery", "portrait photos lie on their side", "the orientation is applied"),
    ("the help centre", "the search finds drafts", "drafts are not indexed"),
    ("the simulator window", "it opens off screen", "the position is checked"),
    ("the gateway case", "it melts in the sun", "the plastic is ASA"),
    ("the widget", "it shows yesterday", "it is refreshed at midnight"),
    ("the serial console", "umlauts are garbled", "it speaks UTF-8"),
    ("the leaf disease model", "it calls everything mildew", "the classes are balanced"),
    ("the beta program form", "it accepts no plus sign", "addresses are checked by sending"),
    ("the shade motor", "it overruns the end", "the end switch has an interrupt"),
    ("the referral badge", "it has the wrong green", "it uses the brand's token"),
    ("the mobile menu", "it hides the last item", "it scrolls"),
    ("the stock sync", "it runs twice", "it takes a lease"),
    ("the recipe page", "portions are rounded up", "fractions are shown"),
)

_PLAIN = tuple(
    """Add a dark theme to the settings screen of the app.
Write a Dockerfile for the ingestion service.
Upgrade React Native to the newest version.
Add a loading spinner to the login button.
Generate an OpenAPI client for the billing API.
Set up ESLint for the mobile project.
Move the icons into a sprite sheet.
Add pagination buttons to the table of orders.
Translate the onboarding screens into Dutch.
Write an SQL migration that adds an index on created_at.
Make the header sticky on the marketing site.
Add a health check endpoint to the gateway.
Create a GitHub Actions workflow that builds the docs.
Implement password reset by e-mail.
Add a retry to the upload of crash reports.
Split the monorepo into packages.
Show a toast when the form was saved.
Add keyboard shortcuts to the editor.
Write a script that seeds the demo accounts.
Use the new logo on the splash screen.
Add an avatar to the account menu.
Compress the assets with brotli.
Write a load test for the websocket server.
Cache the result of the geocoder.
Add type hints to the billing module.
Rename the table devices to units.
Add two-factor authentication.
Write a parser for the supplier's XML feed.
Draw an architecture diagram in Mermaid.
Add a CLI command that lists tenants.
Show me all TODO comments.
Let users sort the catalog by name.
Port the Python prototype of the classifier to C.
Add a feature flag service.
Write the privacy policy page.
Replace moment by date-fns.
Measure how long the tests take.
Deploy the documentation to a subdomain.
Review my last commit for mistakes.
Add a search bar to the help centre's sidebar menu.
Configure renewals of the TLS certificate.
Add an accessibility label to every button.
Write a postmortem template.
Make the build reproducible.
Add Sentry to the web client.
Put the environment variables into a schema.
Write a Terraform module for the queue.
Implement soft deletion of comments.
Add a changelog entry for this fix.
Fix the failing snapshot in the header component.
What does this error mean?
Why does this test fail?
Reformat this JSON.
Explain this function to a beginner.
Undo that, please.
Try again with a smaller batch size.
Run the tests.
Commit this with a good message.
Is this thread-safe?
Can you make this faster?
Add error handling here.
Use async instead of callbacks.
Explain the difference between map and flatMap.
Write a regular expression for postal codes.
Rebase this branch onto main.
Resolve the merge conflicts.
What are generics good for?
Give me three better names for this class.
Convert this class component into a function component.
Remove the dead code in this file.
Write a bash one-liner that counts files by extension.
How do I flush stdout in C?
Turn these asserts into exceptions.
What is the default port of PostgreSQL?
Add logging to this function.
Check this query for injection.
Replace the global by a parameter.
Summarize what we changed today.
Make this method static.
Vectorize this loop with numpy.
Open a pull request.
Show the git log of this file.
How do I mock a module in Jest?
Write the type for this response.
Use a context manager here.
Handle the case where the list is empty.
Why is the output empty?
Move this constant to the top.
Print the first ten rows of the data frame.
Shorten this function name.
Find out which process uses port 8080.
Explain what a semaphore is.
Check the spelling in this paragraph.
Add a test for negative numbers.
Parse the date with the standard library.
Delete the temporary files when the program ends.
Which of the two variants is more readable?
Throw an exception if the argument is null.
Close the file after reading it.
Looks good, go ahead and finish the rest of it.""".splitlines()
)

GREENHOUSE = Project(_TASKS, _TOPICS, _PLAIN)
