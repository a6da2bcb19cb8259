//! Exports the table of endpoints as an OpenAPI document, with the schemas of `docs/schema`.

use serde_json::{Map, Value, json};

use super::answers::LAYERS;
use super::endpoints::{ENDPOINTS, Endpoint, path};
use super::parameters::{Parameter, ValueKind, parameter_named};
use crate::view::schemas;

/// Returns the OpenAPI document of the API.
pub fn openapi() -> Value {
    let paths: Map<String, Value> =
        ENDPOINTS.iter().map(|endpoint| (path(endpoint), operations(endpoint))).collect();
    let answers: Vec<&str> =
        ENDPOINTS.iter().map(|endpoint| endpoint.answer).chain(["error"]).collect();
    let used = schemas().into_iter().filter(|(name, _)| answers.contains(name));
    let components: Map<String, Value> =
        used.map(|(name, schema)| (name.to_owned(), placed(schema.to_value(), name))).collect();
    json!({
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": {
            "title": "hog",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The exact solver for the dice game Hog: the commands of the command line, over HTTP.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "paths": paths,
        "components": { "schemas": components },
    })
}

/// Rewrites the references of a schema to its place among the components.
fn placed(schema: Value, name: &str) -> Value {
    match schema {
        Value::Object(entries) => {
            let entry = |(key, value): (String, Value)| match (key.as_str(), value.as_str()) {
                ("$ref", Some(target)) => {
                    let target = target.trim_start_matches('#');
                    (key, json!(format!("#/components/schemas/{name}{target}")))
                }
                _ => (key, placed(value, name)),
            };
            Value::Object(
                entries.into_iter().filter(|(key, _)| key != "$schema").map(entry).collect(),
            )
        }
        Value::Array(items) => {
            Value::Array(items.into_iter().map(|item| placed(item, name)).collect())
        }
        other => other,
    }
}

fn operations(endpoint: &Endpoint) -> Value {
    let parameters = || endpoint.parameters.iter().filter_map(|name| parameter_named(name));
    let in_query = parameters()
        .filter(|parameter| !matches!(parameter.kind, ValueKind::Files | ValueKind::LongText));
    let query_parameters: Vec<Value> = in_query
        .map(|parameter| query_parameter(parameter, is_required(endpoint, parameter)))
        .collect();
    let properties: Map<String, Value> =
        parameters().map(|parameter| (parameter.name.to_owned(), described(parameter))).collect();
    let required: Vec<&str> = endpoint.required.to_vec();
    let id = endpoint.name.replace('/', "_");
    let mut body = json!({ "type": "object", "properties": properties, "required": required,
        "additionalProperties": false });
    if endpoint.parameters.contains(&"rules") {
        body["oneOf"] = json!([{ "required": ["rules"] }, { "required": ["file"] }]);
    }
    let body = json!({ "required": true, "content": { "application/json": { "schema": body } } });
    let operation = |method: &str| {
        json!({ "operationId": format!("{method}_{id}"), "summary": endpoint.meaning,
        "responses": responses(endpoint) })
    };
    let (mut get, mut post) = (operation("get"), operation("post"));
    get["parameters"] = json!(query_parameters);
    post["requestBody"] = body;
    json!({ "get": get, "post": post })
}

fn is_required(endpoint: &Endpoint, parameter: &Parameter) -> bool {
    // A query string cannot hold a rule file, so it has to name a game.
    endpoint.required.contains(&parameter.name) || parameter.name == "rules"
}

fn query_parameter(parameter: &Parameter, required: bool) -> Value {
    let list = matches!(parameter.kind, ValueKind::Texts | ValueKind::Memory);
    let schema = match parameter.kind {
        ValueKind::Numbers | ValueKind::Faces => {
            json!({ "type": "string", "pattern": "^(-?[0-9]{1,9}(,-?[0-9]{1,9})*)?$" })
        }
        ValueKind::Memory => {
            json!({ "type": "array", "items": { "type": "string", "pattern": "^[a-z_]+=[0-9]{1,9}$" } })
        }
        _ => exemplified(parameter),
    };
    json!({ "name": parameter.name, "in": "query", "required": required, "description": parameter.meaning, "schema": schema,
        "style": "form", "explode": list })
}

fn described(parameter: &Parameter) -> Value {
    let mut schema = exemplified(parameter);
    schema["description"] = json!(parameter.meaning);
    schema
}

fn exemplified(parameter: &Parameter) -> Value {
    let mut schema = schema(parameter.kind);
    match (parameter.kind, parameter.name) {
        (ValueKind::Number, _) => {
            (schema["minimum"], schema["maximum"]) =
                (json!(parameter.range().0), json!(parameter.range().1))
        }
        (_, "players") => (schema["minItems"], schema["maxItems"]) = (json!(2), json!(2)),
        (_, "layers") => schema["items"]["enum"] = json!(LAYERS),
        _ => {}
    }
    if let Some(example) = parameter.example() {
        schema["examples"] = json!([example]);
    }
    schema
}

fn schema(kind: ValueKind) -> Value {
    match kind {
        ValueKind::Text | ValueKind::LongText => json!({ "type": "string" }),
        ValueKind::Number => json!({ "type": "integer" }),
        ValueKind::Flag => json!({ "type": "boolean" }),
        ValueKind::Numbers => json!({ "type": "array", "items": { "type": "integer" } }),
        ValueKind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        ValueKind::Faces => json!({ "oneOf": [
            { "type": "array", "items": { "type": "integer", "minimum": 1 } }, { "type": "integer", "maximum": -1 }] }),
        ValueKind::Memory => {
            json!({ "type": "object", "additionalProperties": { "type": "integer" } })
        }
        ValueKind::Files => json!({ "type": "array", "items": {
            "type": "object",
            "properties": {
                "name": { "type": "string" },
                "text": { "type": "string" },
                "base64": { "type": "string", "contentEncoding": "base64" },
            },
            "required": ["name"],
            "additionalProperties": false,
        } }),
    }
}

fn responses(endpoint: &Endpoint) -> Value {
    let document = |name: &str, meaning: &str| {
        json!({ "description": meaning, "content": {
        "application/json": { "schema": { "$ref": format!("#/components/schemas/{name}") } } } })
    };
    let error = |meaning: &str| document("error", meaning);
    json!({
        "200": document(endpoint.answer, endpoint.meaning),
        "400": error("The request is malformed"),
        "403": error("The request comes from another site, or its Host is not a known name of this machine"),
        "408": error("The body did not arrive in time"),
        "411": error("The length of the body is missing"),
        "413": error("The body is too large"),
        "415": error("The content type of the body is not JSON"),
        "422": error("The request was understood but has no answer"),
        "503": error("The server is busy"),
    })
}
