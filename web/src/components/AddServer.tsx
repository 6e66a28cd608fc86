import { Button } from "@cloudflare/kumo/components/button";
import { type FormEvent, useId, useState } from "react";

interface AddServerProps {
  /** Resolves to whether the server was added. */
  onAdd: (name: string, url: string) => Promise<boolean>;
}

/** AddServer adds a server by its name and its address. What was entered stays if it is refused. */
export function AddServer({ onAdd }: AddServerProps) {
  const id = useId();
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [adding, setAdding] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setAdding(true);
    const added = await onAdd(name.trim(), url.trim());
    setAdding(false);
    if (!added) return;
    setName("");
    setUrl("");
  };
  return (
    <form aria-label="Add a server" className="rounded-xl border border-line px-3 pt-2 pb-3 text-sm" onSubmit={submit}>
      <h3 className="font-semibold">Add a server</h3>
      <div className="mt-1 flex flex-wrap items-end gap-x-3 gap-y-2">
        <div className="flex w-32 grow flex-col gap-1">
          <label htmlFor={`${id}-name`} className="text-xs text-quiet">
            Name
          </label>
          <input
            id={`${id}-name`}
            className="entry"
            required={true}
            maxLength={64}
            autoComplete="off"
            spellCheck={false}
            placeholder="demo"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </div>
        <div className="flex grow-3 basis-64 flex-col gap-1">
          <label htmlFor={`${id}-url`} className="text-xs text-quiet">
            Address
          </label>
          <input
            id={`${id}-url`}
            className="entry"
            type="url"
            required={true}
            maxLength={2048}
            autoComplete="off"
            placeholder="https://example.com/mcp"
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
        </div>
        <Button size="sm" type="submit" variant="primary" className="ml-auto" disabled={adding}>
          Add
        </Button>
      </div>
    </form>
  );
}
