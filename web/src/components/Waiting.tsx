/** Waiting shows that the turn has begun and that nothing of its answer has arrived. */
export function Waiting() {
  return (
    <div className="reach pb-8" data-live>
      <p className="pulse py-1 text-quiet">Thinking</p>
    </div>
  );
}
