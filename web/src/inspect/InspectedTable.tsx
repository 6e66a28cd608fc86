import { Scrolled } from "../components/Scrolled";
import { cellText, meanings, sectionOf, type Table } from "./inspection";

interface InspectedProps {
  table: Table;
  whole: boolean;
}

/** InspectedTable shows the newest rows of one table. */
export function InspectedTable({ table, whole }: InspectedProps) {
  const { name } = table;
  return (
    <section aria-labelledby={`table-${name}`} id={name} className="scroll-mt-20">
      <h2 id={`table-${name}`} className="mb-1.5 flex flex-wrap items-baseline gap-x-2 font-mono text-sm">
        {name}
        <span className="font-sans text-quiet">
          {meanings[name] ?? "more of what is kept"}
          <Extent table={table} />
        </span>
      </h2>
      <Rows label={`Rows of ${name}`} table={table} whole={whole} />
    </section>
  );
}

/** InspectedSection shows what several tables say together. */
export function InspectedSection({ table, whole }: InspectedProps) {
  const { title, meaning } = sectionOf(table.name);
  const id = `section-${table.name}`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-1.5 flex flex-wrap items-baseline gap-x-2 text-sm">
        {title}
        <span className="text-quiet">
          {meaning}
          <Extent table={table} />
        </span>
      </h2>
      <Rows label={title} table={table} whole={whole} />
    </section>
  );
}

/** Extent says how many of the rows are shown, if not all are. */
function Extent({ table: { rows, total } }: { table: Table }) {
  return rows.length < total && ` · the last ${rows.length} of ${total}`;
}

function Rows({ label, table: { columns, rows }, whole }: InspectedProps & { label: string }) {
  return (
    <Scrolled label={label} className="max-h-120 overflow-auto rounded-xl border border-line bg-surface">
      <table className="w-full border-collapse text-left font-mono text-xs">
        <thead className="sticky top-0 bg-note">
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className="px-2.5 py-1.5 font-medium whitespace-nowrap text-quiet">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity beyond their index
            <tr key={index} className="border-t border-line align-top">
              {columns.map((column, at) => (
                <td key={column} className="max-w-96 px-2.5 py-1">
                  <div className={whole ? "whitespace-pre-wrap wrap-anywhere" : "truncate"}>
                    {cellText(column, row[at] ?? null)}
                  </div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}
