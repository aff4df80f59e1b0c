// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.result;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The machine of a run and its Java. Nothing in here names a host: of the kernel's version only the numbers are kept.
 *
 * @param cpu the processor's model, as the kernel prints it
 * @param cores processors that this Java may use
 * @param memoryGib memory of the machine, or of the container, in GiB
 * @param kernel name and version of the operating system
 * @param jdk name and version of the Java virtual machine
 */
public record Machine(String cpu, int cores, double memoryGib, String kernel, String jdk) {
    /** Stands for what could not be found out. */
    public static final String UNKNOWN = "unknown";

    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final Pattern NUMBERS = Pattern.compile("\\d+(\\.\\d+)*");

    /** The machine that this program runs on. */
    public static Machine ofThis() {
        com.sun.management.OperatingSystemMXBean system =
                ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
        return new Machine(
                readModel(),
                Runtime.getRuntime().availableProcessors(),
                Math.round(10.0 * system.getTotalMemorySize() / (1L << 30)) / 10.0,
                kernel(System.getProperty("os.name", UNKNOWN), System.getProperty("os.version", "")),
                System.getProperty("java.vm.name", UNKNOWN) + " " + Runtime.version());
    }

    private static String readModel() {
        try {
            return model(Files.readString(CPU_INFO, StandardCharsets.UTF_8));
        } catch (IOException e) {
            return UNKNOWN; // not Linux; a result without a model is not accepted into the repository
        }
    }

    /**
     * The model in the text of {@code /proc/cpuinfo}. Where a virtual machine hides the model, its vendor, family and
     * number.
     */
    static String model(String cpuInfo) {
        Map<String, String> first = new HashMap<>();
        for (String line : cpuInfo.split("\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                first.putIfAbsent(
                        line.substring(0, colon).strip().toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }
        String model = first.getOrDefault("model name", "");
        String vendor = first.getOrDefault("vendor_id", first.getOrDefault("cpu implementer", ""));
        String number = first.getOrDefault("model", first.getOrDefault("cpu part", ""));
        String family = first.getOrDefault("cpu family", first.getOrDefault("cpu architecture", ""));
        String inNumbers = number.isEmpty() ? "" : "family " + family + ", model " + number;
        if (model.isEmpty() || model.equals(UNKNOWN)) {
            return vendor.isEmpty() || inNumbers.isEmpty() ? UNKNOWN : vendor + " " + inNumbers;
        }
        return inNumbers.isEmpty() ? model : model + ", " + inNumbers;
    }

    static String kernel(String name, String version) {
        Matcher numbers = NUMBERS.matcher(version);
        return numbers.lookingAt() ? name + " " + numbers.group() : name;
    }

    /** In one line, for people. */
    public String text() {
        return String.format(Locale.ROOT, "%d cores of %s; %.1f GiB; %s; %s", cores, cpu, memoryGib, kernel, jdk);
    }
}
