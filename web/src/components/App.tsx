import { Suspense } from "react";
import { useName } from "../hooks/useAddress";
import { Chat } from "./Chat";
import { Failure } from "./Failure";
import { Header } from "./Header";

/** App shows the conversation that the address names, each in a component of its own. */
export function App() {
  const name = useName();
  return (
    <Failure>
      <Suspense key={name} fallback={<Header name={name} phase="connecting" />}>
        <Chat name={name} />
      </Suspense>
    </Failure>
  );
}
