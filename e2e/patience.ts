// The timeouts of all tests with a browser, a published client or a server, in ms. They end a test that would never
// end, also on a machine with much other work. Nothing is measured with them.

/** The timeout of one wait. */
export const wait = 180_000;
/** The timeout of a test, and of what builds and starts its servers. */
export const whole = 900_000;
/** In a message to the demo model: an answer that lasts longer than any test, so that the test has to stop it. */
export const endless = "chunks=100000 delay=100";
