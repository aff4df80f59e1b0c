// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Each controller is in one hierarchy: that of version 2, or one of its own of version 1. */
record Cgroups(List<CgroupHierarchy> hierarchies, String whatIsMissing) implements TaskLimits {
    Cgroups {
        hierarchies = List.copyOf(hierarchies);
    }

    /**
     * Uses the hierarchy of version 2 for the controllers that are there, and those of version 1 for the others.
     * Version 2 is mounted at the root, or beside version 1 in its directory {@code unified}.
     */
    static TaskLimits below(Path root, String container) {
        Path unified = Files.exists(root.resolve("cgroup.controllers")) ? root : root.resolve("unified");
        List<CgroupHierarchy> found = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        Set<CgroupController> in2 = EnumSet.noneOf(CgroupController.class);
        String others = "";
        try {
            List<String> handedOut = CgroupHierarchy.handedOut(unified);
            for (CgroupController one : CgroupController.values()) {
                if (handedOut.contains(one.word())) {
                    in2.add(one);
                }
            }
            if (handedOut.isEmpty()) {
                others = "";
            } else {
                others = ", and the cgroup v2 hierarchy " + unified + " has only the controllers " + handedOut;
            }
            if (!in2.isEmpty()) {
                found.add(CgroupHierarchy.version2(unified, container, in2));
            }
        } catch (IOException e) {
            problems.add("version 2: " + e);
        }
        for (CgroupController one : CgroupController.values()) {
            if (!in2.contains(one)) {
                try {
                    found.add(CgroupHierarchy.version1(root.resolve(one.word()), container, one));
                } catch (IOException e) {
                    problems.add(one.word() + ": " + e + others);
                }
            }
        }
        String reason = String.join("; ", problems);
        if (found.isEmpty()) {
            return new Off("cannot make cgroups below " + root + ": " + reason);
        }
        return new Cgroups(found, problems.isEmpty() ? "" : "cgroups for " + words(found) + " only: " + reason);
    }

    private static String words(List<CgroupHierarchy> found) {
        return found.stream()
                .flatMap(one -> one.controllers().stream())
                .map(CgroupController::word)
                .collect(Collectors.joining(" and "));
    }

    @Override
    public List<Path> make(String name, long milliCpus, long memMb) throws IOException {
        List<Path> groupFiles = new ArrayList<>();
        for (CgroupHierarchy one : hierarchies) {
            if (one.limits(milliCpus, memMb)) {
                groupFiles.add(one.make(name, milliCpus, memMb));
            }
        }
        return groupFiles;
    }

    @Override
    public boolean ranOutOfMemory(String name) {
        return hierarchies.stream().anyMatch(one -> one.ranOutOfMemory(name));
    }

    @Override
    public void kill(String name) {
        hierarchies.forEach(one -> TaskLimits.killIn(one.parent().resolve(name)));
    }

    @Override
    public void remove(String name) {
        hierarchies.forEach(one -> TaskLimits.delete(one.parent().resolve(name)));
    }

    @Override
    public boolean covers(long milliCpus, long memMb) {
        return hierarchies.stream().anyMatch(one -> one.limits(milliCpus, memMb));
    }

    @Override
    public List<Path> parents() {
        return hierarchies.stream().map(CgroupHierarchy::parent).toList();
    }
}
