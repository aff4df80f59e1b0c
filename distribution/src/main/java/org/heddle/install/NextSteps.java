// SPDX-License-Identifier: Apache-2.0
package org.heddle.install;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Set;
import java.util.TreeSet;

/** What to do once the jars are in place: install switches nothing on. */
final class NextSteps {
    private static final String ARCHIVE = "mapreduce.application.framework.path";

    private NextSteps() {}

    static void print(HadoopHome home, Set<Plugin> plugins, PrintWriter out) throws IOException {
        Set<String> hosts = new TreeSet<>();
        plugins.forEach(plugin -> hosts.add(plugin.hosts()));
        out.println();
        out.println("Nothing is switched on yet. Next:");
        out.println("- Install on " + String.join(" and ", hosts) + ".");
        if (plugins.contains(Plugin.LATE)) {
            String archive = home.property("mapred-site.xml", ARCHIVE);
            if (!archive.isEmpty()) {
                out.println("- " + ARCHIVE + " is " + archive + ": MapReduce's ApplicationMasters load their classes"
                        + " from there, so put the jar of LATE into that archive.");
            }
        }
        if (plugins.contains(Plugin.DRF) || plugins.contains(Plugin.MARKET)) {
            out.println("- heddle check FILE says what your fair-scheduler.xml or heddle-scheduler.xml would do.");
        }
        for (Plugin plugin : plugins) {
            boolean replaced = plugin == Plugin.DRF && plugins.contains(Plugin.MARKET);
            if (!replaced) {
                out.println(
                        "- In " + plugin.siteFile() + " set " + plugin.property() + " to " + plugin.className() + ".");
            }
        }
        if (plugins.contains(Plugin.DRF) || plugins.contains(Plugin.MARKET)) {
            out.println("- Restart the ResourceManager; of a pair, the standby first.");
        }
        out.println("- heddle doctor looks whether everything is in place.");
    }
}
