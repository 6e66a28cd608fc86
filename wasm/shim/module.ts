// The one place that names the built module. Tests make instances of others.
import module from "../../build/tributary.wasm";

export default module;
