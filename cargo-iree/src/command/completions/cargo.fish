
# `cargo iree` is completed as `cargo-iree` is.
complete -c cargo -n '__fish_seen_subcommand_from iree' -f -a '(
    set -l words (commandline -opc)
    complete -C "cargo-iree $words[3..] $(commandline -ct)"
)'
