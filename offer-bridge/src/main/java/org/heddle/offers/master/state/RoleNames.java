// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import java.util.List;
import org.apache.mesos.v1.Protos.FrameworkInfo;

/** The roles of a framework, from the field that the framework uses. */
public final class RoleNames {
    private RoleNames() {}

    @SuppressWarnings("deprecation") // Frameworks without the capability MULTI_ROLE name their role here.
    public static List<String> of(FrameworkInfo info) {
        boolean multiRole = info.getCapabilitiesList().stream()
                .anyMatch(one -> one.getType() == FrameworkInfo.Capability.Type.MULTI_ROLE);
        return multiRole ? info.getRolesList().stream().distinct().toList() : List.of(info.getRole());
    }
}
