//! Which generic argument belongs to which generic parameter.

use super::{Generic, GenericArgument, Ident};
use crate::span::SpanId;

/// Generic arguments by the parameters that they are for.
#[derive(Clone, Debug)]
pub struct Given<'a> {
    /// For each parameter its argument, without a name; `None` if there is none.
    pub arguments: Vec<Option<&'a GenericArgument>>,
    /// What is wrong with the others.
    pub mistakes: Vec<Misgiven<'a>>,
}

/// What is wrong with a generic argument.
#[derive(Clone, Copy, Debug)]
pub enum Misgiven<'a> {
    /// No parameter has its name.
    Unknown(&'a Ident),
    /// Its parameter has an argument already.
    Twice(&'a Ident),
    /// It has no name, and stands behind one that has.
    Unnamed(SpanId),
    /// There are fewer parameters.
    Surplus,
}

impl<'a> Given<'a> {
    /// Arguments without names are for the first parameters in their order, others for those that they name.
    pub fn new(parameters: &'a [Generic], arguments: &'a [GenericArgument]) -> Self {
        let mut given = Self {
            arguments: vec![None; parameters.len()],
            mistakes: Vec::new(),
        };
        let mut named = false;
        for (position, argument) in arguments.iter().enumerate() {
            let mistake = match argument {
                GenericArgument::Named(name, value) => {
                    named = true;
                    given.named(parameters, name, value).err()
                }
                _ if named => Some(Misgiven::Unnamed(argument.span())),
                _ => given.place(position, argument),
            };
            given.mistakes.extend(mistake);
        }
        given
    }

    /// Each parameter with its argument.
    pub fn pairs(
        self,
        parameters: &'a [Generic],
    ) -> impl Iterator<Item = (&'a Generic, Option<&'a GenericArgument>)> {
        parameters.iter().zip(self.arguments)
    }

    fn named(
        &mut self,
        parameters: &[Generic],
        name: &'a Ident,
        value: &'a GenericArgument,
    ) -> Result<(), Misgiven<'a>> {
        let mut names = parameters.iter().map(|parameter| &parameter.name.name);
        let position = names.position(|known| *known == name.name);
        let slot = position.and_then(|position| self.arguments.get_mut(position));
        let slot = slot.ok_or(Misgiven::Unknown(name))?;
        match slot.replace(value) {
            None => Ok(()),
            Some(_) => Err(Misgiven::Twice(name)),
        }
    }

    fn place(&mut self, position: usize, argument: &'a GenericArgument) -> Option<Misgiven<'a>> {
        match self.arguments.get_mut(position) {
            Some(slot) => {
                *slot = Some(argument);
                None
            }
            None => Some(Misgiven::Surplus),
        }
    }
}
