// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.settings.process.ProcessStart;
import org.jspecify.annotations.Nullable;

/** The Java that would run Hadoop's daemons, and the flags that it needs. */
final class JavaCheck {
    private static final int OLDEST = 17;
    private static final int PATIENCE_SECONDS = 20;
    static final String OPEN = "java.base/java.lang=ALL-UNNAMED";
    private static final Pattern ASSIGNED = Pattern.compile("(?m)^\\s*(?:export\\s+)?JAVA_HOME=[\"']?([^\"'\\s#]+)");
    private static final Pattern VERSION = Pattern.compile("\"(?:1\\.)?(\\d+)");

    private final Path configuration;
    private final @Nullable Path home;
    private final Map<String, String> environment;
    private final Findings findings;

    JavaCheck(Path configuration, @Nullable Path home, Map<String, String> environment, Findings findings) {
        this.configuration = configuration;
        this.home = home;
        this.environment = environment;
        this.findings = findings;
    }

    /** @param hadoopVersion empty if it is not known */
    void check(String hadoopVersion) {
        String javaHome = null;
        String from = "";
        for (String name : List.of("hadoop-env.sh", "yarn-env.sh")) {
            Matcher assigned = ASSIGNED.matcher(text(configuration.resolve(name)));
            while (assigned.find()) {
                javaHome = assigned.group(1);
                from = "JAVA_HOME in " + name;
            }
        }
        if (javaHome != null && javaHome.contains("$")) {
            findings.notChecked(from + " = " + javaHome + ": its value is known only to the shell that expands it");
            javaHome = environment.get("JAVA_HOME");
            from = "JAVA_HOME of this shell";
        } else if (javaHome == null && environment.get("JAVA_HOME") != null) {
            javaHome = environment.get("JAVA_HOME");
            from = "JAVA_HOME of this shell, because hadoop-env.sh does not set it";
        }
        Path java = javaHome == null ? Path.of("java") : Path.of(javaHome, "bin", "java");
        version(java, from.isEmpty() ? "the java of this shell's PATH" : from + " (" + javaHome + ")");
        if (hadoopVersion.startsWith("3.4")) {
            opens(hadoopVersion);
        }
    }

    private void version(Path java, String from) {
        String said;
        try {
            Process process = ProcessStart.ours(
                    List.of(java.toString(), "-version"), builder -> builder.redirectErrorStream(true));
            process.getOutputStream().close();
            said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            findings.problem(from + ": there is no such java", "set JAVA_HOME in hadoop-env.sh to a Java " + OLDEST);
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        Matcher version = VERSION.matcher(said);
        if (!version.find()) {
            findings.notChecked(from + ": its version; it says " + said.strip().replaceAll("\\s+", " "));
        } else if (Integer.parseInt(version.group(1)) < OLDEST) {
            findings.problem(
                    from + " is Java " + version.group(1) + ", and Heddle's classes need " + OLDEST
                            + ": a daemon that loads them ends with UnsupportedClassVersionError",
                    "set JAVA_HOME in hadoop-env.sh to a Java " + OLDEST);
        } else {
            findings.ok(from + " is Java " + version.group(1));
        }
    }

    /** The scripts of Hadoop 3.4's later releases set the flag. */
    private void opens(String hadoopVersion) {
        List<Path> scripts = new ArrayList<>(List.of(
                configuration.resolve("hadoop-env.sh"),
                configuration.resolve("yarn-env.sh"),
                configuration.resolve("mapred-env.sh")));
        if (home != null) {
            scripts.add(home.resolve("libexec/hadoop-functions.sh"));
            scripts.add(home.resolve("libexec/hadoop-config.sh"));
        }
        for (Path script : scripts) {
            if (text(script).lines().anyMatch(line -> !line.strip().startsWith("#") && line.contains(OPEN))) {
                findings.ok("--add-opens " + OPEN + " in " + script);
                return;
            }
        }
        for (String variable : List.of("HADOOP_OPTS", "YARN_RESOURCEMANAGER_OPTS", "YARN_OPTS", "JAVA_TOOL_OPTIONS")) {
            if (environment.getOrDefault(variable, "").contains(OPEN)) {
                findings.ok("--add-opens " + OPEN + " in " + variable + " of this shell");
                return;
            }
        }
        findings.problem(
                "no --add-opens " + OPEN + " found, which Hadoop " + hadoopVersion + "'s daemons need on Java "
                        + OLDEST,
                "add to hadoop-env.sh: export HADOOP_OPTS=\"$HADOOP_OPTS --add-opens " + OPEN + "\"");
    }

    private static String text(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
        } catch (IOException e) {
            return "";
        }
    }
}
