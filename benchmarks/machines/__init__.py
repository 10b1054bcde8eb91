"""Webdyno on other machines than this one: virtual ones, of other numbers of processors.

What a run says must not depend on how many processors it had. This runs the study `quick` in
machines of 1, 2, 3 and 8 processors, hyper-threads and NUMA nodes among them, and brings home what
`doctor` and the run said. QEMU emulates the processors (TCG), which works in any virtual machine
and is 20 to 50 times slower than the metal: placement, threads, turns and words can be judged by
it, figures can't.

Three things are made, each from the one before, and kept in a cache folder:

1. The root image (`root_image`): a copy of this machine's own root file system, with a kernel and
   systemd. It is made once; machines start from it and write to a copy that is thrown away.
2. The checkout (`checkout`): a clone at the commit asked for, set up and with its servers built, on
   this machine, because the virtual ones have no network. It lies at the same path inside them, so
   that Webdyno finds its environment and its builds current. Another commit replaces the sources
   only; what they change is made anew, as in any working copy.
3. A disk with a copy of the checkout, and one with the job (`job`): what to run. The results come
   back as a tar file on a third.
"""
