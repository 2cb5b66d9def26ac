//! Conversion of bytes and errors between JavaScript and Rust.

use grille_registry::UnknownAlgorithm;
use js_sys::{ArrayBuffer, DataView, Error, Object, Reflect, TypeError, Uint8Array};
use std::fmt::Display;
use wasm_bindgen::prelude::*;
use zeroize::Zeroizing;

#[wasm_bindgen(typescript_custom_section)]
const BYTES: &str =
    "/** Bytes as input: a Uint8Array, another view, or an ArrayBuffer. The package copies them. */
export type Bytes = ArrayBuffer | ArrayBufferView;
/** The contents of a file as input: bytes, or the text of a PEM file. */
export type FileContents = Bytes | string;";

#[wasm_bindgen]
extern "C" {
    /// An argument that TypeScript knows as `Bytes`; JavaScript may pass anything.
    #[wasm_bindgen(typescript_type = "Bytes")]
    pub type Bytes;
}

/// Copies the contents of a file out of JavaScript: bytes, or text as UTF-8. The copy is erased when it is dropped.
pub(crate) fn file_contents(value: &JsValue) -> Result<Zeroizing<Vec<u8>>, JsValue> {
    match value.as_string() {
        Some(text) => Ok(text.into_bytes().into()),
        None => bytes(value, "file"),
    }
}

/// Copies bytes out of JavaScript. The copy is erased when it is dropped. The error names `argument`.
pub(crate) fn bytes(value: &JsValue, argument: &str) -> Result<Zeroizing<Vec<u8>>, JsValue> {
    if let Some(array) = value.dyn_ref::<Uint8Array>() {
        return Ok(array.to_vec().into());
    }
    if let Some(buffer) = value.dyn_ref::<ArrayBuffer>() {
        return Ok(Uint8Array::new(buffer).to_vec().into());
    }
    if ArrayBuffer::is_view(value) {
        // Every view has the three properties that are read here through DataView's accessors.
        let view = value.unchecked_ref::<DataView>();
        let (offset, length) = (property(view, "byteOffset")?, property(view, "byteLength")?);
        let array = Uint8Array::new_with_byte_offset_and_length(&view.buffer(), offset, length);
        return Ok(array.to_vec().into());
    }
    let found = value.js_typeof().as_string().unwrap_or_default();
    let text = format!("the {argument} must be a Uint8Array, an ArrayBuffer or a view of one, not {found}");
    Err(TypeError::new(&text).into())
}

fn property(object: &JsValue, name: &str) -> Result<u32, JsValue> {
    // Lengths of buffers are whole numbers below 2^53; a buffer of 4 GiB or more does not fit into the module's memory.
    let number = Reflect::get(object, &name.into())?.as_f64().unwrap_or_default();
    Ok(number as u32)
}

/// Copies bytes out of JavaScript. Returns no bytes if the argument is missing.
pub(crate) fn optional_bytes(value: Option<&Bytes>, argument: &str) -> Result<Zeroizing<Vec<u8>>, JsValue> {
    value.map_or_else(|| Ok(Zeroizing::default()), |value| bytes(value, argument))
}

/// Copies a name out of JavaScript.
pub(crate) fn text(value: &JsValue, argument: &str) -> Result<String, JsValue> {
    value.as_string().ok_or_else(|| {
        let found = value.js_typeof().as_string().unwrap_or_default();
        TypeError::new(&format!("the {argument} must be a string, not {found}")).into()
    })
}

/// Converts an error to an exception for JavaScript.
pub(crate) fn error(error: impl Display) -> JsValue {
    Error::new(&error.to_string()).into()
}

/// Returns a plain object with these properties, except the undefined ones.
pub(crate) fn object<const N: usize>(properties: [(&str, JsValue); N]) -> Result<JsValue, JsValue> {
    let object = Object::new();
    for (name, value) in properties.into_iter().filter(|(_, value)| !value.is_undefined()) {
        Reflect::set(&object, &name.into(), &value)?;
    }
    Ok(object.into())
}

/// Copies bytes into JavaScript.
pub(crate) fn array(bytes: &[u8]) -> Uint8Array {
    Uint8Array::from(bytes)
}

/// Converts a value to JavaScript; `undefined` for `None`.
pub(crate) fn optional(value: Option<impl Into<JsValue>>) -> JsValue {
    value.map_or(JsValue::UNDEFINED, Into::into)
}

/// Converts an unknown name to an exception for JavaScript.
pub(crate) fn unknown_algorithm(unknown: &UnknownAlgorithm, list: &str) -> JsValue {
    if unknown.suggestions.is_empty() && unknown.other_use.is_none() {
        let name = unknown.name.escape_debug();
        return error(format_args!("unknown {} \"{name}\"; {list} lists all names", unknown.kind));
    }
    error(unknown)
}
