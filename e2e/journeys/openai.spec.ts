// The provider of chat completions.
import { journeys, withMock } from "./provider";

journeys(withMock(({ url }) => ({ MODEL_PROVIDER: "openai", MODEL_BASE_URL: `${url}/v1`, MODEL_NAME: "the-model" })));
