// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.fair;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A {@code fair-scheduler.xml} by chance: most of what may stand in one, in most ways of writing it. Limits name all
 * resources or none: of those that a limit by name leaves out FairScheduler gives nothing, against its documentation.
 */
final class FairFile {
    private static final List<String> NAMES = List.of("a", "b", "c", "default", "staff", "x y", "alice", "Long-Name_1");
    private static final List<String> AMOUNTS = List.of(
            "1024 mb, 1 vcores",
            "8192 mb,8 vcores",
            "2 vcores, 4096mb",
            "2048 mb 2 vcores",
            "vcores=3, memory-mb=2048",
            "50%",
            "30% memory, 40% cpu",
            "vcores=20%, memory-mb=10%",
            "0 mb, 0 vcores",
            "12.5%",
            " 4096 MB , 4 VCORES ",
            "30000 mb, 20% cpu",
            "5 cores",
            "1024");
    private static final List<String> LEAST =
            List.of("memory-mb=4096", "vcores=1", "1024 mb, 1 vcores", "10%", "vcores=5%, memory-mb=3%");
    private static final List<String> ACCESS =
            List.of("*", " ", "", "alice", "alice,bob staff", " staff", "carol physics,guests", "nobody");
    private static final List<String> POLICIES = List.of(
            "fair",
            "fifo",
            "drf",
            "FAIR",
            "Fifo",
            "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies.FairSharePolicy");
    private static final List<String> RULES =
            List.of("specified", "user", "primaryGroup", "secondaryGroupExistingQueue", "default", "reject");

    private final Random random;
    private final StringBuilder xml = new StringBuilder();

    private FairFile(long seed) {
        this.random = new Random(seed);
    }

    static String of(long seed) {
        FairFile file = new FairFile(seed);
        file.write();
        return file.xml.toString();
    }

    private void write() {
        xml.append("<?xml version=\"1.0\"?>\n<allocations>\n");
        sometimes(4, "defaultQueueSchedulingPolicy", "fair", "drf", "fifo");
        sometimes(4, "queueMaxResourcesDefault", AMOUNTS);
        sometimes(4, "queueMaxAppsDefault", "5", "0");
        sometimes(4, "userMaxAppsDefault", "3");
        sometimes(4, "queueMaxAMShareDefault", "0.4", "-1.0", "1.0");
        sometimes(4, "defaultMinSharePreemptionTimeout", "60");
        sometimes(4, "defaultFairSharePreemptionTimeout", "90", "0");
        sometimes(4, "fairSharePreemptionTimeout", "45");
        sometimes(4, "defaultFairSharePreemptionThreshold", "0.7", "1.0");
        if (random.nextInt(4) == 0) {
            xml.append("<user name=\"bob\"><maxRunningApps>2</maxRunningApps></user>\n");
        }
        if (random.nextInt(8) == 0) {
            xml.append("<unknownThing>1</unknownThing>\n");
        }
        boolean rooted = random.nextInt(4) == 0;
        if (rooted) {
            xml.append("<queue name=\"root\">");
            settings(true);
        }
        queues(rooted ? 1 : 0);
        if (rooted) {
            xml.append("</queue>\n");
        }
        if (random.nextBoolean()) {
            placement();
        }
        xml.append("</allocations>\n");
    }

    private void queues(int depth) {
        List<String> names = new ArrayList<>(NAMES);
        Collections.shuffle(names, random);
        for (String name : names.subList(0, 1 + random.nextInt(3))) {
            String element = random.nextInt(6) == 0 ? "pool" : "queue";
            boolean parent = depth < 2 && random.nextInt(3) == 0;
            boolean declared = random.nextInt(10) == 0;
            xml.append('<').append(element).append(" name=\"").append(name).append('"');
            xml.append(declared ? " type=\"parent\"" : "").append('>');
            settings(parent || declared);
            if (parent) {
                queues(depth + 1);
            }
            xml.append("</").append(element).append(">\n");
        }
    }

    private void settings(boolean parent) {
        sometimes(3, "weight", "2", "0.5", "0", " 3 ", "1e1");
        sometimes(4, "minResources", random.nextBoolean() ? LEAST : AMOUNTS);
        sometimes(4, "maxResources", AMOUNTS);
        sometimes(8, "maxContainerAllocation", AMOUNTS);
        sometimes(4, "maxRunningApps", "3", "0", " 7 ");
        sometimes(4, "maxAMShare", "0.3", "-1.0", "1.5", "0");
        sometimes(4, "schedulingPolicy", parent ? List.of("fair", "drf", "FAIR") : POLICIES);
        sometimes(3, "aclSubmitApps", ACCESS);
        sometimes(4, "aclAdministerApps", ACCESS);
        sometimes(6, "minSharePreemptionTimeout", "30");
        sometimes(6, "fairSharePreemptionTimeout", "40", "0");
        sometimes(6, "fairSharePreemptionThreshold", "0.6", "0", "1.7", "-0.3");
        sometimes(6, "allowPreemptionFrom", "false", "true", "TRUE", "no");
        if (parent) {
            sometimes(6, "maxChildResources", AMOUNTS);
        }
        sometimes(12, "maxJobs", "1");
    }

    private void placement() {
        xml.append("<queuePlacementPolicy>\n");
        int rules = 1 + random.nextInt(4);
        for (int i = 0; i < rules; i++) {
            boolean last = i == rules - 1;
            String name = last
                    ? RULES.get(4 + random.nextInt(2))
                    : random.nextInt(5) == 0 ? "nestedUserQueue" : RULES.get(random.nextInt(4));
            xml.append("<rule name=\"").append(name).append('"').append(create());
            if (name.equals("default") && random.nextBoolean()) {
                xml.append(" queue=\"").append(NAMES.get(random.nextInt(4))).append('"');
            }
            if (name.equals("nestedUserQueue")) {
                xml.append("><rule name=\"")
                        .append(RULES.get(List.of(0, 2, 3, 4).get(random.nextInt(4))))
                        .append('"')
                        .append(create())
                        .append("/></rule>\n");
            } else {
                xml.append("/>\n");
            }
        }
        xml.append("</queuePlacementPolicy>\n");
    }

    private String create() {
        return switch (random.nextInt(5)) {
            case 0 -> " create=\"false\"";
            case 1 -> " create=\"true\"";
            default -> "";
        };
    }

    private void sometimes(int oneIn, String element, String... values) {
        sometimes(oneIn, element, List.of(values));
    }

    private void sometimes(int oneIn, String element, List<String> values) {
        if (random.nextInt(oneIn) == 0) {
            String value = values.get(random.nextInt(values.size()));
            xml.append('<').append(element).append('>').append(value);
            xml.append("</").append(element).append(">\n");
        }
    }
}
