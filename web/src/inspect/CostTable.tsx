import type { ReactNode } from "react";
import { type Inspected, inspectorPath } from "../address";
import { Scrolled } from "../components/Scrolled";
import type { RunPath } from "../runpath";
import { bytesText, type CostRow, costRows, counts, countText, sumOf, usages } from "./cost";
import { cellText, type Inspection } from "./inspection";

interface CostTableProps {
  object: Inspected;
  /** The path of the inspected helper; empty for the agent itself. */
  path: RunPath;
  inspection: Inspection;
}

/** CostTable shows what the inspected object and its helpers have cost. */
export function CostTable({ object, path, inspection }: CostTableProps) {
  const rows = costRows(inspection);
  const linkOf = ({ run }: CostRow) => run && inspectorPath(object, [...path, run]);
  return (
    <section aria-labelledby="cost">
      <h2 id="cost" className="mb-1.5 flex flex-wrap items-baseline gap-x-2 text-sm">
        Cost
        <span className="text-quiet">
          counted in memory since each object woke, and forgotten when the conversation sleeps · tokens since it began
        </span>
      </h2>
      <Scrolled label="Cost of each object" className="overflow-x-auto rounded-xl border border-line bg-surface">
        <table className="w-full border-collapse text-right text-xs whitespace-nowrap tabular-nums">
          <thead className="bg-note text-quiet">
            <tr>
              <Head first>Object</Head>
              <Head>Statements</Head>
              <Head>Rows read</Head>
              <Head>Rows written</Head>
              <Head>Bytes down</Head>
              <Head>Bytes up</Head>
              <Head>Model calls</Head>
              <Head>Tokens in</Head>
              <Head>Tokens out</Head>
              <Head>Woke at</Head>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.path} row={row} href={linkOf(row)} />
            ))}
          </tbody>
          <tfoot>
            <tr className="border-t border-line bg-note">
              <Name>All</Name>
              {counts.map((count) => (
                <Cell key={count}>{countOf(count, sumOf(rows, count))}</Cell>
              ))}
              {usages.map((count) => (
                <Cell key={count}>{countText(inspection.usage[count])}</Cell>
              ))}
              <Cell />
            </tr>
          </tfoot>
        </table>
      </Scrolled>
    </section>
  );
}

function Row({ row: { path, class: kind, run, cost, usage }, href }: { row: CostRow; href: string | undefined }) {
  const label = `${kind} ${path}`;
  return (
    <tr className="border-t border-line bg-surface">
      <Name>
        <span className={`block max-w-36 truncate sm:max-w-80 ${path && "pl-3"}`} title={run?.name ?? label}>
          {href ? (
            <a className="text-river underline underline-offset-2" href={href}>
              {label}
            </a>
          ) : (
            label
          )}
        </span>
      </Name>
      {counts.map((count) => (
        <Cell key={count}>{cost ? countOf(count, cost[count]) : "–"}</Cell>
      ))}
      {usages.map((count) => (
        <Cell key={count}>{usage ? countText(usage[count]) : "–"}</Cell>
      ))}
      <Cell>{cost ? cellText("at", cost.since) : <span className="text-quiet">asleep</span>}</Cell>
    </tr>
  );
}

function countOf(count: (typeof counts)[number], value: number): string {
  return count === "down" || count === "up" ? bytesText(value) : countText(value);
}

function Head({ first = false, children }: { first?: boolean; children: ReactNode }) {
  return (
    <th scope="col" className={`px-2.5 py-1.5 font-medium ${first ? "sticky left-0 bg-note text-left" : ""}`}>
      {children}
    </th>
  );
}

/** Name is the first cell of a row. It stays in sight while the others scroll. */
function Name({ children }: { children: ReactNode }) {
  return (
    <th scope="row" className="sticky left-0 bg-inherit px-2.5 py-1 text-left font-normal">
      {children}
    </th>
  );
}

function Cell({ children }: { children?: ReactNode }) {
  return <td className="px-2.5 py-1">{children}</td>;
}
