// The only file that names the built module. Tests use other modules.
import module from "../../build/tributary.wasm";

export default module;
