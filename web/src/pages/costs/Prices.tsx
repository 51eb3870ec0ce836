/** Prices that the user gave models. */
import { Button, Group, Table, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";

import { useReadOnly } from "../../api/rights";
import { Wrong } from "../../parts/Dialog";
import { Part } from "../../parts/Part";
import { Lines, Loaded } from "../../parts/states";
import { costs } from "../../texts/costs";
import { dollars } from "./money";
import { usePrices, usePricing } from "./queries";

const words = costs.prices;
const EMPTY = { model: "", input: "", output: "" };

export function Prices() {
  const prices = usePrices();
  const pricing = usePricing();
  const [price, setPrice] = useState(EMPTY);
  const readOnly = useReadOnly();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    pricing.mutate({ ...price, model: price.model.trim() }, { onSuccess: () => setPrice(EMPTY) });
  };
  const field = (name: keyof typeof EMPTY, width: number) => (
    <TextInput
      label={words[name]}
      value={price[name]}
      onChange={(event) => setPrice({ ...price, [name]: event.currentTarget.value })}
      inputMode={name === "model" ? "text" : "decimal"}
      maxLength={200}
      disabled={readOnly}
      w={width}
    />
  );
  return (
    <Part title={words.title} about={words.about}>
      <Loaded query={prices} skeleton={<Lines count={1} />}>
        {(found) =>
          found.length ? (
            <Table mb="md" maw={620} horizontalSpacing={6}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{words.model}</Table.Th>
                  <Table.Th className="number">{words.input}</Table.Th>
                  <Table.Th className="number">{words.output}</Table.Th>
                  <Table.Td />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {found.map(({ model, input, output }) => (
                  <Table.Tr key={model}>
                    <Table.Td style={{ overflowWrap: "anywhere" }}>{model}</Table.Td>
                    <Table.Td className="number">{dollars(input)}</Table.Td>
                    <Table.Td className="number">{dollars(output)}</Table.Td>
                    <Table.Td ta="right">
                      <Button size="compact-sm" variant="subtle" disabled={readOnly} onClick={() => pricing.mutate(model)} aria-label={words.removeNamed(model)}>
                        {words.remove}
                      </Button>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          ) : null
        }
      </Loaded>
      <form onSubmit={submit}>
        <Group align="flex-end">
          {field("model", 240)}
          {field("input", 100)}
          {field("output", 100)}
          <Button type="submit" variant="default" loading={pricing.isPending} disabled={readOnly || !price.model.trim() || !price.input || !price.output}>
            {words.set}
          </Button>
        </Group>
      </form>
      <Wrong error={pricing.error} />
    </Part>
  );
}
