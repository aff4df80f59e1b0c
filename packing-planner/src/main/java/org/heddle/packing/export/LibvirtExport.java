// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.export;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.model.Vm;

/**
 * The use in the paper: one libvirt domain for each VM of a plan, pinned to its cores and its disk, and a list of the
 * machine and the phase of each domain. Names and
 * UUIDs follow from the plan, so the same plan gives the same files.
 */
public final class LibvirtExport {
    private final Problem problem;
    private final Plan plan;
    private final Host host;

    /**
     * The resources of one machine.
     *
     * @param cores CPU cores, shared out evenly to the k VMs (paper section 3)
     * @param memoryMiB memory of one VM
     * @param image path of the VM's system image on the machine; {vm} is replaced by the domain's name
     * @param diskDevice device of disk d on the machine; {disk} is replaced by its number
     */
    public record Host(int cores, int memoryMiB, String image, String diskDevice) {}

    public LibvirtExport(Problem problem, Plan plan, Host host) {
        this.problem = problem;
        this.plan = plan;
        this.host = host;
    }

    /** File name to content: one XML file per domain and {@code placement.csv}. */
    public Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        StringBuilder list = new StringBuilder("phase,start_s,seconds,machine,disk,role,job,master,domain\n");
        for (int p = 0; p < plan.phases().size(); p++) {
            Phase phase = plan.phases().get(p);
            for (Assignment assignment : phase.assignments()) {
                for (int v = 0; v < assignment.placement().size(); v++) {
                    Vm vm = assignment.placement().get(v);
                    String name = name(p, assignment, v);
                    files.put(name + ".xml", domain(name, assignment, v, vm));
                    list.append(String.format(
                            Locale.ROOT,
                            "%d,%.3f,%.3f,%d,%d,%s,%s,%b,%s%n",
                            p + 1,
                            assignment.start(),
                            assignment.seconds(),
                            vm.machine(),
                            vm.disk(),
                            assignment.role().key(),
                            quoted(assignment.job()),
                            v == 0,
                            name));
                }
            }
        }
        files.put("placement.csv", list.toString());
        return files;
    }

    private static String quoted(String text) {
        return text.matches("[A-Za-z0-9_#.-]*") ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }

    private static String name(int phase, Assignment assignment, int v) {
        String safe = assignment.job().replaceAll("[^A-Za-z0-9_.-]", "-");
        String tag = Integer.toHexString(assignment.job().hashCode() & 0xffff);
        return String.format(Locale.ROOT, "p%d-%s-%s-%d", phase + 1, safe, tag, v);
    }

    private String domain(String name, Assignment assignment, int v, Vm vm) {
        int cores = Math.max(1, host.cores() / problem.disks());
        int first = Math.min(vm.disk() * cores, Math.max(0, host.cores() - cores));
        String set = cores == 1 ? String.valueOf(first) : first + "-" + (first + cores - 1);
        UUID uuid = UUID.nameUUIDFromBytes((problem.id() + "/" + name).getBytes(StandardCharsets.UTF_8));
        StringBuilder xml = new StringBuilder();
        xml.append("<domain type=\"kvm\">\n");
        tag(xml, "name", name);
        tag(xml, "uuid", uuid.toString());
        tag(
                xml,
                "description",
                String.format(
                        Locale.ROOT,
                        "VM %d of %d of job %s, %s, machine %d",
                        v + 1,
                        assignment.vms(),
                        assignment.job(),
                        assignment.role().key(),
                        vm.machine()));
        xml.append("  <memory unit=\"MiB\">").append(host.memoryMiB()).append("</memory>\n");
        xml.append("  <vcpu placement=\"static\" cpuset=\"")
                .append(set)
                .append("\">")
                .append(cores)
                .append("</vcpu>\n");
        xml.append("  <os>\n    <type arch=\"x86_64\" machine=\"pc\">hvm</type>\n    <boot dev=\"hd\"/>\n  </os>\n");
        xml.append("  <devices>\n");
        disk(xml, "file", "file", host.image().replace("{vm}", name), "vda", "qcow2");
        String device = host.diskDevice().replace("{disk}", String.valueOf(vm.disk()));
        if (assignment.role() != Role.EXTRA) {
            disk(xml, "block", "dev", device, "vdb", "raw");
        }
        xml.append("    <interface type=\"network\">\n");
        xml.append("      <source network=\"default\"/>\n");
        xml.append("      <model type=\"virtio\"/>\n");
        xml.append("    </interface>\n");
        xml.append("  </devices>\n");
        xml.append("</domain>\n");
        return xml.toString();
    }

    private static void disk(
            StringBuilder xml, String type, String attribute, String source, String target, String format) {
        xml.append("    <disk type=\"").append(type).append("\" device=\"disk\">\n");
        xml.append("      <driver name=\"qemu\" type=\"").append(format).append("\"/>\n");
        xml.append("      <source ")
                .append(attribute)
                .append("=\"")
                .append(escape(source))
                .append("\"/>\n");
        xml.append("      <target dev=\"").append(target).append("\" bus=\"virtio\"/>\n    </disk>\n");
    }

    private static void tag(StringBuilder xml, String name, String value) {
        xml.append("  <")
                .append(name)
                .append('>')
                .append(escape(value))
                .append("</")
                .append(name)
                .append(">\n");
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
