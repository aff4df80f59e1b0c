// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.offers;

import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The version in the jar's manifest, after the name of the command. */
public final class Version implements IVersionProvider {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before getVersion
    private CommandSpec command;

    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {command.qualifiedName() + " " + (version == null ? "(not packaged)" : version)};
    }
}
