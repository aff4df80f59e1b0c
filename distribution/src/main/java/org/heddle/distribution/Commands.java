// SPDX-License-Identifier: Apache-2.0
package org.heddle.distribution;

import java.util.Map;
import java.util.TreeMap;
import org.heddle.settings.command.Frame;
import picocli.CommandLine;

/**
 * All commands that {@code bin/heddle} knows, with their options: the build and its tests read them, not the launcher.
 */
final class Commands {
    /** By name, because this module is compiled for an older Java than most of them. */
    private static final Map<String, String> CLASSES = Map.of(
            "market", "org.heddle.market.cli.HeddleMarket",
            "late", "org.heddle.late.replay.Main",
            "pack", "org.heddle.packing.cli.HeddlePack",
            "bridge", "org.heddle.offers.Main",
            "whatif", "org.heddle.whatif.cli.WhatIf",
            "mpiexec", "org.heddle.frameworks.mpi.MpiexecCommand",
            "batch", "org.heddle.frameworks.batch.BatchCommand",
            "webfarm", "org.heddle.frameworks.webfarm.WebFarmCommand");

    private static final String SCHEDULER = "org.heddle.scheduler.cli.Heddle";

    private Commands() {}

    /** @throws ClassNotFoundException if a command is not on the class path */
    static CommandLine all() throws ClassNotFoundException {
        CommandLine all = new CommandLine(type("org.heddle.install.Main"));
        for (Map.Entry<String, String> command : new TreeMap<>(CLASSES).entrySet()) {
            all.addSubcommand(command.getKey(), new CommandLine(type(command.getValue())));
        }
        new CommandLine(type(SCHEDULER)).getSubcommands().forEach(all::addSubcommand);
        return Frame.around("heddle", all);
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(name, true, Thread.currentThread().getContextClassLoader());
    }
}
