//! Exports the questions as an OpenAPI document, with the schemas of `docs/schema`.

use serde_json::{Map, Value, json};

use super::endpoints::ENDPOINTS;
use crate::requests::{Endpoint, LARGEST_NUMBER, Parameter, ValueKind};
use crate::schemas;

/// Returns the OpenAPI document of the API.
pub fn openapi() -> Value {
    let paths: Map<String, Value> =
        ENDPOINTS.iter().map(|endpoint| (endpoint.path(), operations(&endpoint.0))).collect();
    let answers: Vec<&str> =
        ENDPOINTS.iter().map(|endpoint| endpoint.0.query.schema).chain(["error"]).collect();
    let used = schemas().into_iter().filter(|(name, _)| answers.contains(name));
    let components: Map<String, Value> =
        used.map(|(name, schema)| (name.to_owned(), placed(schema.to_value(), name))).collect();
    json!({
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": {
            "title": "hog",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The exact solver for the dice game Hog: the commands of the command \
                            line, over HTTP.",
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
            let mut moved = Map::new();
            for (key, value) in entries.into_iter().filter(|(key, _)| key != "$schema") {
                let value = match value.as_str() {
                    Some(target) if key == "$ref" => {
                        let target = target.trim_start_matches('#');
                        json!(format!("#/components/schemas/{name}{target}"))
                    }
                    _ => placed(value, name),
                };
                moved.insert(key, value);
            }
            Value::Object(moved)
        }
        Value::Array(items) => {
            Value::Array(items.into_iter().map(|item| placed(item, name)).collect())
        }
        other => other,
    }
}

fn operations(endpoint: &Endpoint) -> Value {
    let in_query = endpoint
        .parameters
        .iter()
        .filter(|parameter| !matches!(parameter.kind, ValueKind::Files | ValueKind::LongText));
    let query_parameters: Vec<Value> = in_query.map(query_parameter).collect();
    let properties: Map<String, Value> = endpoint
        .parameters
        .iter()
        .map(|parameter| (parameter.name.clone(), bounded(parameter)))
        .collect();
    let required: Vec<&str> = endpoint
        .parameters
        .iter()
        .filter(|parameter| parameter.is_required)
        .map(|parameter| parameter.name.as_str())
        .collect();
    let id = endpoint.query.name.replace('/', "_");
    let mut body = json!({ "type": "object", "properties": properties, "required": required,
        "additionalProperties": false });
    if endpoint.takes_game() {
        body["oneOf"] = json!([{ "required": ["rules"] }, { "required": ["file"] }]);
    }
    let body = json!({ "required": true, "content": { "application/json": { "schema": body } } });
    let meaning = &endpoint.meaning;
    let responses = responses(endpoint);
    json!({
        "get": {
            "operationId": format!("get_{id}"),
            "summary": meaning,
            "responses": responses,
            "parameters": query_parameters,
        },
        "post": {
            "operationId": format!("post_{id}"),
            "summary": meaning,
            "responses": responses,
            "requestBody": body,
        },
    })
}

fn query_parameter(parameter: &Parameter) -> Value {
    let list = matches!(parameter.kind, ValueKind::Texts | ValueKind::Lists | ValueKind::Memory);
    let schema = match parameter.kind {
        ValueKind::Numbers | ValueKind::Faces => numbers_of_query(),
        ValueKind::Lists => json!({ "type": "array", "items": numbers_of_query() }),
        ValueKind::Memory => {
            let item = json!({ "type": "string", "pattern": "^[a-z_]+=[0-9]{1,9}$" });
            json!({ "type": "array", "items": item })
        }
        _ => bounded(parameter),
    };
    // A query string cannot hold a rule file, so it has to name a game.
    let required = parameter.is_required || parameter.name == "rules";
    json!({ "name": parameter.name, "in": "query", "required": required,
        "description": parameter.schema["description"], "schema": schema,
        "style": "form", "explode": list })
}

/// The schema of whole numbers with commas between them.
fn numbers_of_query() -> Value {
    json!({ "type": "string", "pattern": "^(-?[0-9]{1,9}(,-?[0-9]{1,9})*)?$" })
}

/// Returns the schema of a parameter with the bounds of numbers, which a width implies.
fn bounded(parameter: &Parameter) -> Value {
    let mut schema = parameter.schema.clone();
    if parameter.kind == ValueKind::Number && schema.get("maximum").is_none() {
        let is_wide = schema["format"] == "uint64" || schema["format"] == "uint";
        schema["maximum"] = json!(if is_wide { LARGEST_NUMBER } else { u32::MAX.into() });
    }
    schema
}

/// Returns the description of a response by the name of its schema.
fn document(name: &str, meaning: &str) -> Value {
    json!({ "description": meaning, "content": {
        "application/json": { "schema": { "$ref": format!("#/components/schemas/{name}") } } } })
}

fn error(meaning: &str) -> Value {
    document("error", meaning)
}

fn responses(endpoint: &Endpoint) -> Value {
    json!({
        "200": document(endpoint.query.schema, &endpoint.meaning),
        "400": error("The request is malformed"),
        "403": error("The request comes from another site, or its Host is not a known name of \
                      this machine"),
        "408": error("The body did not arrive in time"),
        "411": error("The length of the body is missing"),
        "413": error("The body is too large"),
        "415": error("The content type of the body is not JSON"),
        "422": error("The request was understood but has no answer"),
        "503": error("The server is busy"),
    })
}
