// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.heddle.scheduler.config.site.Site;
import org.heddle.scheduler.config.site.SiteFile;
import org.heddle.scheduler.model.SchedulerSpec;
import org.jspecify.annotations.Nullable;

/** The keys of the offer bridge beside those of its cluster: Kerberos, and how many frameworks the queues let in. */
final class BridgeKeys {
    private static final String PREFIX = "heddle.bridge.";
    private static final String AUTHENTICATION = "hadoop.security.authentication";
    private static final String MASTERS = "maximum-am-resource-percent";
    private static final String CAPACITY_PREFIX = "yarn.scheduler.capacity.";
    private static final String SMALLEST = "yarn.scheduler.minimum-allocation-mb";
    private static final Set<PosixFilePermission> OF_OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private final Site site;
    private final Path conf;
    private final @Nullable SchedulerSpec spec;
    private final Findings findings;

    /**
     * @param site of the cluster, with the file of the bridge
     * @param conf directory in which {@code capacity-scheduler.xml} is looked for
     * @param spec the queues of our scheduler, if it is set and has a file
     */
    BridgeKeys(Site site, Path conf, @Nullable SchedulerSpec spec, Findings findings) {
        this.site = site;
        this.conf = conf;
        this.spec = spec;
        this.findings = findings;
    }

    static boolean areIn(Site site) {
        return !site.keys(PREFIX).isEmpty();
    }

    void check() {
        KnownKeys.check(site, PREFIX, KnownKeys.ofBridge(), findings);
        authentication();
        keytab("kerberos", "");
        keytab("spnego", site.get(PREFIX + "hostname", ""));
        queues();
    }

    private String set(String key) {
        String where = site.where(key);
        return key + " = " + site.get(key, "") + (where.isEmpty() ? "" : " (" + where + ")");
    }

    /** Bridge and cluster must both use Kerberos, or neither. */
    private void authentication() {
        if (site.path("core-site.xml") == null) {
            findings.notChecked("whether the cluster uses Kerberos: there is no core-site.xml in " + conf);
            return;
        }
        boolean secure = site.get(AUTHENTICATION, "simple").equalsIgnoreCase("kerberos");
        String principal = PREFIX + "kerberos.principal";
        boolean named = !site.get(principal, "").isEmpty();
        if (secure && !named) {
            findings.problem(
                    "the cluster uses Kerberos (" + set(AUTHENTICATION) + "), and " + principal
                            + " is not set: the bridge stops working when the ticket of the user that starts it ends",
                    "set " + principal + " and " + PREFIX + "kerberos.keytab");
        } else if (!secure && named) {
            findings.problem(
                    set(principal) + ", but " + AUTHENTICATION + " is not kerberos: the bridge does not start",
                    "remove it and " + PREFIX + "kerberos.keytab, or name the directory of the cluster's"
                            + " core-site.xml with --conf-dir");
        } else {
            findings.ok(secure ? "bridge and cluster use Kerberos" : "neither bridge nor cluster use Kerberos");
        }
    }

    /** @param hostname that replaces _HOST; empty for the name of this machine */
    private void keytab(String kind, String hostname) {
        String principalKey = PREFIX + kind + ".principal";
        String keytabKey = PREFIX + kind + ".keytab";
        String principal = site.get(principalKey, "");
        String keytab = site.get(keytabKey, "");
        if (principal.isEmpty() && keytab.isEmpty()) {
            return;
        }
        if (principal.isEmpty() || keytab.isEmpty()) {
            findings.problem(
                    set(principal.isEmpty() ? keytabKey : principalKey) + " needs "
                            + (principal.isEmpty() ? principalKey : keytabKey) + " beside it",
                    "set both or neither");
            return;
        }
        Path file = Path.of(keytab);
        if (!Files.isRegularFile(file)) {
            findings.problem(
                    set(keytabKey) + " does not exist on this machine, or user " + System.getProperty("user.name")
                            + " cannot read its directory",
                    "make it with kadmin (ktadd), or run this command on the bridge's machine");
        } else if (!Files.isReadable(file)) {
            findings.problem(
                    set(keytabKey) + " cannot be read by user " + System.getProperty("user.name"),
                    "make the bridge's user its owner, mode 600; run this command as that user");
        } else {
            keys(principalKey, principal, hostname, keytabKey, file);
        }
    }

    private void keys(String principalKey, String principal, String hostname, String keytabKey, Path file) {
        try {
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
            if (!Collections.disjoint(mode, OF_OTHERS)) {
                findings.problem(
                        set(keytabKey) + " can be used by other users than its owner (mode "
                                + PosixFilePermissions.toString(mode) + ")",
                        "chmod 600 " + file);
            }
            Set<String> known = Keytab.principals(file);
            String wanted =
                    principal.replace("_HOST", hostname.isEmpty() ? thisHost() : hostname.toLowerCase(Locale.ROOT));
            if (principal.contains("@") ? known.contains(wanted) : hasInSomeRealm(known, wanted)) {
                findings.ok(file + " has a key of " + wanted);
            } else {
                findings.problem(
                        file + " has no key of " + wanted + ", which " + principalKey + " names; it has keys of "
                                + (known.isEmpty() ? "nobody" : String.join(", ", known)),
                        "make the key with kadmin (ktadd), or correct " + principalKey);
            }
        } catch (UnknownHostException e) {
            findings.problem(
                    "this machine does not know its own name, which replaces _HOST in " + set(principalKey),
                    "add the name to /etc/hosts or DNS");
        } catch (IOException e) {
            findings.problem(String.valueOf(e.getMessage()), "make it anew with kadmin (ktadd)");
        } catch (UnsupportedOperationException e) {
            findings.notChecked("the mode of " + file + ": its file system has none");
        }
    }

    private static boolean hasInSomeRealm(Set<String> known, String name) {
        return known.stream().anyMatch(one -> one.startsWith(name + "@"));
    }

    private static String thisHost() throws UnknownHostException {
        return InetAddress.getLocalHost().getCanonicalHostName().toLowerCase(Locale.ROOT);
    }

    private void queues() {
        Site all = site;
        Path file = conf.resolve("capacity-scheduler.xml");
        if (SiteKeys.isCapacityScheduler(site) && Files.isRegularFile(file)) {
            try {
                all = new Site(List.of(SiteFile.read(file))).withAll(site);
            } catch (IOException e) {
                findings.problem(String.valueOf(e.getMessage()), "correct it");
                return;
            }
        }
        Set<String> queues = new TreeSet<>();
        for (String entry : site.get(PREFIX + "queues", "*=root.default").split(",", -1)) {
            String queue = entry.substring(entry.indexOf('=') + 1).strip();
            queues.add(queue.equals("root") || queue.startsWith("root.") ? queue : "root." + queue);
        }
        if (SiteKeys.isCapacityScheduler(site)) {
            for (String queue : queues) {
                limitOfMasters(all, queue);
            }
        }
        new BridgeOrders(all, conf, spec, findings).check(queues);
    }

    /** CapacityScheduler counts an ApplicationMaster of the smallest container for each framework. */
    private void limitOfMasters(Site all, String queue) {
        String own = CAPACITY_PREFIX + queue + "." + MASTERS;
        String key = all.get(own) == null ? CAPACITY_PREFIX + MASTERS : own;
        String where = all.where(key);
        Double part = number(all.get(key, "0.1"));
        Double smallest = number(all.get(SMALLEST, "1024"));
        if (part == null || smallest == null || !(part > 0)) {
            findings.problem(
                    key + " = " + all.get(key, "0.1") + " and " + SMALLEST + " = " + all.get(SMALLEST, "1024")
                            + " are not numbers above 0",
                    "correct them");
        } else if (part >= 1) {
            findings.ok(key + " = " + all.get(key, "") + ": queue " + queue + " lets frameworks in");
        } else {
            findings.note(key + " = " + all.get(key, "0.1") + (where.isEmpty() ? " (default)" : " (" + where + ")")
                    + ": queue " + queue + " lets in one framework for each " + Math.round(smallest / part)
                    + " MB that it has, rounded up, and others get nothing: CapacityScheduler counts an"
                    + " ApplicationMaster of " + SMALLEST
                    + " for each; raise the limit, up to 1.0, if that is too few");
        }
    }

    private static @Nullable Double number(String text) {
        try {
            return Double.valueOf(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
