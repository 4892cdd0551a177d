use std::fmt;

/// What a program is compiled to besides what its binary embeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emit {
    /// C source of the module for IREE's virtual machine.
    VmC,
}

impl Emit {
    const ALL: [Self; 1] = [Self::VmC];

    /// The output of this name.
    ///
    /// # Errors
    ///
    /// That there is none.
    pub fn named(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|emit| emit.name() == name);
        found.ok_or_else(|| {
            let names = Self::ALL.map(|emit| format!("`{emit}`")).join(" or ");
            format!("there is no output `{name}`: programs are also compiled to {names}")
        })
    }

    const fn name(self) -> &'static str {
        match self {
            Self::VmC => "vm-c",
        }
    }
}

impl fmt::Display for Emit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
