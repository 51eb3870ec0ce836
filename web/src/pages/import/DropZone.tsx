/** Where files are dropped or chosen, folders with all that is in them too. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useRef, useState, type DragEvent } from "react";

import { Icon } from "../../parts/icons";
import { importing } from "../../texts/importing";
import styles from "./DropZone.module.css";
import type { Dropped } from "./queries";

const words = importing.drop;

export function DropZone({ take, disabled }: { take: (files: Dropped[]) => void; disabled: boolean }) {
  const [over, setOver] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (disabled) return;
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
    take((await Promise.all(entries.map((entry) => within(entry, "")))).flat());
  };
  const chosen = (input: HTMLInputElement) => {
    take([...(input.files ?? [])].map((file) => ({ file, name: file.webkitRelativePath || file.name })));
    input.value = "";
  };
  return (
    <div
      className={styles.zone}
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => void drop(event)}
    >
      <Stack align="center" gap="xs">
        <Text c="dimmed" lh={0}>
          <Icon name="inbox" size={40} />
        </Text>
        <Text fw={600}>{words.title}</Text>
        <Text c="dimmed" size="sm">
          {words.or}
        </Text>
        <Group justify="center">
          <Button onClick={() => files.current?.click()} disabled={disabled}>
            {words.choose}
          </Button>
          <Button variant="default" onClick={() => folder.current?.click()} disabled={disabled}>
            {words.folder}
          </Button>
        </Group>
        <Text c="dimmed" size="sm" ta="center">
          {words.about}
        </Text>
        <Text c="dimmed" size="xs" ta="center" maw={560} mt="sm">
          {importing.formats}
        </Text>
      </Stack>
      <input ref={files} type="file" multiple hidden aria-label={words.choose} onChange={(event) => chosen(event.currentTarget)} />
      <input ref={folder} type="file" hidden aria-label={words.folder} {...{ webkitdirectory: "" }} onChange={(event) => chosen(event.currentTarget)} />
    </div>
  );
}

/** The files of what was dropped, with their paths. */
async function within(entry: FileSystemEntry, path: string): Promise<Dropped[]> {
  const name = `${path}${entry.name}`;
  if (entry.isFile) return [{ file: await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed)), name }];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: Dropped[] = [];
  // A reader tells a hundred at a time, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return found;
    for (const each of some) found.push(...(await within(each, `${name}/`)));
  }
}
