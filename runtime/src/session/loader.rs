use super::{Session, State, failed_load};
use crate::{
    Device, HostModule, Module, Parameters, Result, Trace,
    check::Bindings,
    executor::{Linked, Surroundings},
    ffi::Rules,
    parameters::Supplies,
    trace::{self, Observer},
    turns::Turns,
};
use iree_abi::{HOST, Site};
use std::{borrow::Borrow, sync::Arc, time::Duration};

/// Links modules on a device, with options.
pub struct SessionLoader<'d> {
    device: &'d Device,
    supplies: Supplies,
    hosts: Vec<HostModule>,
    /// What programs import.
    pub(crate) imports: HostModule,
    observer: Arc<Observer>,
    sites: &'static [Site],
    rules: Rules,
}

impl<'d> SessionLoader<'d> {
    pub(super) fn new(device: &'d Device) -> Self {
        Self {
            device,
            supplies: Supplies::default(),
            hosts: Vec::new(),
            imports: HostModule::new(HOST),
            observer: Arc::new(trace::to_standard_error),
            sites: &[],
            rules: Rules {
                limit: None,
                has_state: true,
            },
        }
    }

    /// Supplies the parameters of a scope. Several archives may have one scope.
    #[must_use]
    pub fn parameters(mut self, scope: &str, parameters: impl Into<Parameters>) -> Self {
        self.supplies.add(scope, parameters.into());
        self
    }

    /// Lets the modules import functions that are written in Rust.
    #[must_use]
    pub fn host(mut self, module: HostModule) -> Self {
        self.hosts.push(module);
        self
    }

    /// Sends what the modules trace to a function instead of to standard error. It runs while the module waits,
    /// so it cannot call the session.
    #[must_use]
    pub fn trace(mut self, sink: impl Fn(&Trace) + Send + Sync + 'static) -> Self {
        self.observer = Arc::new(sink);
        self
    }

    /// Has calls that take longer fail, with the code [`DeadlineExceeded`](crate::Code::DeadlineExceeded), where they wait
    /// for the device or somebody waits for their results. What the device has to do it does nevertheless, and the
    /// next call waits for that. On `local-sync`, which works while it is told to, no call fails so.
    #[must_use]
    pub const fn time_limit(mut self, limit: Duration) -> Self {
        self.rules.limit = Some(limit);
        self
    }

    /// Says what the source says of the places where the modules are observed.
    #[must_use]
    pub(crate) const fn sites(mut self, sites: &'static [Site]) -> Self {
        self.sites = sites;
        self
    }

    /// Says whether calls change globals.
    #[must_use]
    pub(crate) const fn has_state(mut self, has_state: bool) -> Self {
        self.rules.has_state = has_state;
        self
    }

    pub(crate) const fn supplies(&self) -> &Supplies {
        &self.supplies
    }

    pub(crate) const fn supplies_mut(&mut self) -> &mut Supplies {
        &mut self.supplies
    }

    pub(crate) const fn device(&self) -> &Device {
        self.device
    }

    /// Links the modules and initialises their globals.
    ///
    /// # Errors
    ///
    /// As [`Session::new`].
    pub fn load<M: Borrow<Module>>(self, modules: impl IntoIterator<Item = M>) -> Result<Session> {
        self.prepare(modules)?.session()
    }

    /// Makes what all sessions of the modules share.
    pub(crate) fn prepare<M: Borrow<Module>>(
        self,
        modules: impl IntoIterator<Item = M>,
    ) -> Result<Prepared> {
        let modules = modules.into_iter().map(|module| module.borrow().clone());
        let modules: Vec<_> = modules.collect();
        let supplies = Arc::new(self.supplies);
        let imports = Some(self.imports).filter(|imports| !imports.is_empty());
        let surroundings = Surroundings {
            device: self.device,
            supplies: supplies.clone(),
            hosts: self.hosts.into_iter().chain(imports).collect(),
            sink: trace::sink(self.observer, self.sites),
            rules: self.rules,
        };
        let linked = Linked::new(&modules, surroundings);
        Ok(Prepared {
            linked: linked.map_err(|source| failed_load(self.sites, source))?,
            modules,
            supplies,
            sites: self.sites,
            device: self.device.clone(),
        })
    }
}

/// What all sessions of some modules share.
pub(crate) struct Prepared {
    linked: Linked,
    modules: Vec<Module>,
    supplies: Arc<Supplies>,
    sites: &'static [Site],
    device: Device,
}

impl Prepared {
    /// The archives that the modules are loaded with.
    pub(crate) const fn supplies(&self) -> &Arc<Supplies> {
        &self.supplies
    }

    /// Links the modules and initialises their globals.
    pub(crate) fn session(&self) -> Result<Session> {
        let names = self.modules.iter().map(Module::name).collect::<Vec<_>>();
        let _span = tracing::debug_span!("load", modules = ?names).entered();
        let executor = self.linked.executor(&self.device);
        let session = Session {
            state: Turns::new(State {
                executor: executor.map_err(|source| failed_load(self.sites, source))?,
                bindings: Bindings::default(),
            }),
            modules: self.modules.clone(),
            supplies: self.supplies.clone(),
            sites: self.sites,
            device: self.device.clone(),
        };
        session.initialize()?;
        Ok(session)
    }
}
