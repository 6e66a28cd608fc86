// axe, for the journeys that check what it finds.
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "./fixture";

/** Runs axe on the page, and once more in the dark, where it checks only the colours, because nothing else changes. */
export async function faultless(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  expect(await faults(new AxeBuilder({ page }))).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  expect(await faults(new AxeBuilder({ page }).withRules("color-contrast"))).toEqual([]);
}

async function faults(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
  );
}
