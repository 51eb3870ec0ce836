/** What tools or agents want to be remembered and a person has not looked at yet. */
import { Badge, Button, Card, Group, Stack, Text } from "@mantine/core";

import { useReadOnly } from "../../api/rights";
import { Ago } from "../../parts/Ago";
import { Wrong } from "../../parts/Dialog";
import { Empty, Lines, Loaded } from "../../parts/states";
import { Verbatim } from "../../parts/Verbatim";
import { activity } from "../../texts/activity";
import { useHeld, useReview } from "./queries";

const words = activity.review;

export function Review() {
  const held = useHeld();
  const review = useReview();
  const readOnly = useReadOnly();
  return (
    <Stack maw={860} component="section" aria-label={activity.tabs.review}>
      <Text c="dimmed" size="sm">
        {words.about}
      </Text>
      <Wrong error={review.error} />
      <Loaded query={held} skeleton={<Lines count={3} height={110} />}>
        {(found) =>
          found.length ? (
            <>
              {found.map((each) => (
                <Card key={each.id} withBorder component="article" padding="md">
                  <Group gap="xs" mb={6}>
                    <Badge color="gray.7">{words.kinds[each.kind] ?? each.kind}</Badge>
                    <Text size="sm" c="dimmed">
                      {words.by(each.actor, each.fields?.source)}, <Ago at={each.created_at} />
                    </Text>
                  </Group>
                  <Verbatim text={each.content} />
                  <Group mt="sm">
                    <Button size="xs" onClick={() => review.mutate({ held: each.id, accept: true })} loading={review.isPending} disabled={readOnly}>
                      {words.accept}
                    </Button>
                    <Button size="xs" variant="default" onClick={() => review.mutate({ held: each.id, accept: false })} loading={review.isPending} disabled={readOnly}>
                      {words.reject}
                    </Button>
                  </Group>
                </Card>
              ))}
            </>
          ) : (
            <Empty icon="check" title={words.none.title}>
              {words.none.text}
            </Empty>
          )
        }
      </Loaded>
    </Stack>
  );
}
