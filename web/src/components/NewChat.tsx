import { Button } from "@cloudflare/kumo/components/button";
import { CaretDownIcon, NotePencilIcon } from "@phosphor-icons/react";
import { useId, useState } from "react";
import { openFresh } from "../address";
import { useRoot, useRoots } from "../hooks/useAbout";

/** NewChat is the button for a new conversation, with a choice of the agent where there are several. */
export function NewChat({ onOpened }: { onOpened: () => void }) {
  const key = useRoot()?.key ?? "";
  return <Choice key={key} current={key} onOpened={onOpened} />;
}

/** Choice begins with the agent of the current conversation. */
function Choice({ current, onOpened }: { current: string; onOpened: () => void }) {
  const roots = useRoots();
  const [chosen, setChosen] = useState(current);
  const id = useId();
  const open = () => {
    openFresh(chosen);
    onOpened();
  };
  return (
    <div className="flex flex-col gap-2">
      <Button className="w-full" variant="secondary" icon={<NotePencilIcon size={16} />} onClick={open}>
        New chat
      </Button>
      {roots.length > 1 && (
        <div className="flex items-center gap-2 px-1 text-sm">
          <label htmlFor={id} className="text-quiet">
            with
          </label>
          <span className="relative min-w-0 grow">
            <select
              id={id}
              className="w-full cursor-pointer appearance-none truncate rounded-lg border border-line bg-surface py-1.5 pr-7 pl-2.5"
              value={chosen}
              onChange={({ target }) => setChosen(target.value)}
            >
              {roots.map(({ key, title }) => (
                <option key={key} value={key}>
                  {title}
                </option>
              ))}
            </select>
            <CaretDownIcon
              className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-quiet"
              size={12}
              aria-hidden="true"
            />
          </span>
        </div>
      )}
    </div>
  );
}
