// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.nio.file.Files;
import java.nio.file.Path;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KeyTab;
import org.heddle.settings.ConfigKey;

/**
 * Looks at a keytab before it is used, because the errors of Java's Kerberos name neither the setting nor the way out.
 */
final class KeytabFile {
    private KeytabFile() {}

    /**
     * Checks that a keytab has the key of a principal.
     *
     * @param principal with its host
     * @throws IllegalArgumentException one sentence, if it has not
     */
    static void check(ConfigKey<String> setting, String keytab, ConfigKey<String> principalSetting, String principal) {
        Path file = Path.of(keytab);
        String what = setting.name() + " = " + keytab;
        String user = System.getProperty("user.name");
        if (!Files.exists(file)) {
            throw new IllegalArgumentException(what + ": there is no such file, or user " + user
                    + " may not look into its directory; put the keytab of " + principal + " ("
                    + principalSetting.name() + ") there, or set " + setting.name() + " to its place");
        }
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new IllegalArgumentException(what + ": user " + user + " cannot read it; make the keytab of "
                    + principal + " (" + principalSetting.name() + ") a file that belongs to " + user
                    + " and has mode 600");
        }
        if (!hasKey(file, principalSetting, principal)) {
            throw new IllegalArgumentException(what + ": it has no key of " + principal + " ("
                    + principalSetting.name() + ") that Java can use; compare with `klist -ket " + keytab
                    + "`, and add the key or correct " + principalSetting.name());
        }
    }

    private static boolean hasKey(Path file, ConfigKey<String> principalSetting, String principal) {
        try {
            KerberosPrincipal owner = new KerberosPrincipal(principal);
            return KeyTab.getInstance(owner, file.toFile()).getKeys(owner).length > 0;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    principalSetting.name() + " = " + principal + " is not a principal with a realm (" + e.getMessage()
                            + "); want NAME/HOST@REALM",
                    e);
        }
    }
}
