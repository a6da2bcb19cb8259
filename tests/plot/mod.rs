//! Pictures: their contents in SVG and in PNG, and the gallery that shows them all.

mod colours;
mod gallery;
mod kinds;
mod svg;
