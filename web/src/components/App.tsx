import { Suspense } from "react";
import { useName } from "../hooks/useAddress";
import { Chat } from "./Chat";
import { Failure } from "./Failure";
import { Header } from "./Header";
import { Sidebar } from "./Sidebar";

/** App shows the conversation that the address names, beside the list of all conversations. */
export function App() {
  const name = useName();
  return (
    <Failure>
      <div className="flex">
        <Sidebar name={name} />
        <div className="min-w-0 grow">
          <Suspense key={name} fallback={<Header name={name} phase="connecting" />}>
            <Chat name={name} />
          </Suspense>
        </div>
      </div>
    </Failure>
  );
}
